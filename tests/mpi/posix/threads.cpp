// Threads of C++ and of OpenMP within ranks.
#include <atomic>
#include <cstdio>
#include <future>
#include <mpi.h>
#include <mutex>
#include <omp.h>
#include <string>
#include <thread>
#include <vector>

static std::atomic<int> destroyed;

struct Counted {
    std::string text = "first";
    ~Counted()
    {
        destroyed += text == "changed by a thread" ? 1 : 100;
    }
};

static thread_local Counted counted;
static thread_local int number = 5;
static int own = 7;
#pragma omp threadprivate(own)

static int check_threads()
{
    std::vector<std::thread> threads;
    std::mutex lock;
    int sum = 0;
    for (int i = 0; i < 4; i++)
        threads.emplace_back([&, i] {
            std::lock_guard<std::mutex> guard(lock);
            sum += i * (number == 5 && counted.text == "first");
            counted.text = "changed by a thread";
            number = 0;
        });
    for (auto &t : threads)
        t.join();
    return sum == 6 && destroyed == 4;
}

static int check_promise(int rank)
{
    auto answer = std::async(std::launch::async, [rank] { return rank + number; });
    return answer.get() == rank + 5;
}

static int check_openmp(int rank)
{
    double sum = 0;
    int others = 0;
    own = rank;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic, 10) num_threads(4)
    for (int i = 0; i < 1000; i++)
        sum += i;
#pragma omp parallel num_threads(3) reduction(+ : others)
    others += omp_get_thread_num() ? own == 7 : own == rank;
    return sum == 499500 && others == 3;
}

int main(int argc, char **argv)
{
    int rank, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; i++) {
        number = rank;
        destroyed = 0;
        wrong |= check_threads() ? 0 : 1;
        MPI_Barrier(MPI_COMM_WORLD);
        wrong |= check_promise(rank) ? 0 : 2;
        wrong |= check_openmp(rank) ? 0 : 4;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    std::printf(wrong ? "rank %d: wrong: %d\n" : "ok\n", rank, wrong);
    return MPI_Finalize();
}
