# A GOAL trace of 27 ranks, those of a torus of 3x3x3: in each round a rank posts receives from and sends to its six
# neighbours, computes meanwhile, for between 1/14 and 27/14 of the time given, and then waits for all of them.
#
#   awk -v rounds=10 -v bytes=10000 -v ns=1000000 -f tests/goal/computing_exchange.awk >exchange.goal

function neighbour(rank, step, w) { # `step` further in the dimension in which ranks are `w` apart
    return rank + ((int(rank / w) % 3 + step) % 3 - int(rank / w) % 3) * w
}

BEGIN {
    print "num_ranks 27"
    for (rank = 0; rank < 27; rank++) {
        print "rank", rank, "{"
        for (k = 0; k < rounds; k++) {
            printf "c%d: calc %d\n", k, ns * (1 + (rank * 7 + k * 13) % 27) / 14
            for (i = 0; i < 6; i++) {
                w = 3 ^ int(i / 2)
                printf "r%d_%d: recv %db from %d\n", k, i, bytes, neighbour(rank, i % 2 + 1, w)
                printf "s%d_%d: send %db to %d\n", k, i, bytes, neighbour(rank, 2 - i % 2, w)
                printf "c%d irequires s%d_%d\n", k, k, i
                for (j = 0; k && j < 6; j++) {
                    printf "r%d_%d requires r%d_%d\nr%d_%d requires s%d_%d\n", k, i, k - 1, j, k, i, k - 1, j
                    printf "s%d_%d requires r%d_%d\ns%d_%d requires s%d_%d\n", k, i, k - 1, j, k, i, k - 1, j
                }
                if (k)
                    printf "r%d_%d requires c%d\ns%d_%d requires c%d\n", k, i, k - 1, k, i, k - 1
            }
        }
        print "}"
    }
}
