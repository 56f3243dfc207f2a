// C++: constructors, destructors, exceptions across calls of MPI, thread-local objects, clocks, streams.
#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <iostream>
#include <mutex>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static int rank, size, made, errors;

static void expect(const char *what, bool right)
{
    if (!right) {
        std::cout << "rank " << rank << ": " << what << std::endl;
        errors++;
    }
}

static struct Static {
    std::string name{"static"};
    Static() { made++; }
    ~Static() { std::cout << "destroyed: " << name << std::endl; }
} object;

thread_local std::vector<int> local{1, 2, 3};

// While an exception passes, this rank waits for others whose exceptions pass.
struct Guard {
    ~Guard()
    {
        int sum = 0, one = std::uncaught_exceptions();
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        expect("uncaught exceptions", sum == size);
    }
};

static void fall(int depth)
{
    Guard guard;
    if (depth == 0)
        throw std::runtime_error("rank " + std::to_string(rank));
    fall(depth - 1);
}

static void exceptions()
{
    try {
        fall(3);
    } catch (const std::exception &e) {
        std::exception_ptr now = std::current_exception();
        MPI_Barrier(MPI_COMM_WORLD);
        expect("what()", e.what() == "rank " + std::to_string(rank));
        try {
            MPI_Barrier(MPI_COMM_WORLD);
            std::rethrow_exception(now);
        } catch (const std::runtime_error &again) {
            expect("the same exception", std::string(again.what()) == e.what());
        }
    }
    expect("none is left", std::uncaught_exceptions() == 0);
}

static void clocks()
{
    auto from = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(std::chrono::milliseconds(250));
    auto slept = std::chrono::steady_clock::now() - from;
    expect("sleep", slept >= std::chrono::milliseconds(250) && slept < std::chrono::milliseconds(251));
    auto year = std::chrono::duration_cast<std::chrono::hours>(std::chrono::system_clock::now().time_since_epoch());
    expect("2005", 1970 + year.count() / 24 / 365 == 2005);
    expect("one processor", std::thread::hardware_concurrency() == 1);
}

static void noise()
{
    std::random_device device;
    unsigned mine = device(), first = mine;
    MPI_Bcast(&first, 1, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
    expect("noise of its own", rank == 0 || first != mine);
    expect("mt19937", std::mt19937(42)() == 1608637542u);
}

static void threads()
{
    static thread_local int counter = 5;
    int results[3] = {0, 0, 0};
    std::vector<std::thread> all;
    for (int i = 0; i < 3; i++)
        all.emplace_back([&results, i] { results[i] = counter += i; });
    for (auto &thread : all)
        thread.join();
    expect("thread-local data of threads", counter == 5 && results[0] == 5 && results[1] == 6 && results[2] == 7);
}

int main(int argc, char **argv)
{
    std::once_flag once;
    int calls = 0, all = 0, number = -1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    exceptions();
    clocks();
    noise();
    threads();
    local.push_back(rank);
    MPI_Barrier(MPI_COMM_WORLD);
    expect("local", local.size() == 4 && local.back() == rank);
    expect("constructors", made == 1);
    std::call_once(once, [&calls] { calls++; });
    expect("once", calls == 1);
    std::cin >> number;
    expect("input", rank == 0 ? number == 42 : std::cin.eof());
    object.name += " of " + std::to_string(rank);
    MPI_Reduce(&errors, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    if (rank == 0)
        std::cout << (all ? "failed" : "ok") << "\n";
    return all != 0;
}
