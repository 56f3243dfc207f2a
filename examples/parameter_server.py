"""A host that drives a network with its own traffic: a parameter server, as in embed.c.

Every worker asks node 0 for a block of data; the server answers each request when it has been read,
and a worker that has its answer asks again.

    python3 parameter_server.py [MACHINE [KEY=VALUE]...]

prints: 63 workers, 252 answers, 311.18 us each on average
"""
import sys

import weft

SERVER, ROUNDS, REQUEST_BYTES, ANSWER_BYTES, STEP_CYCLES = 0, 4, 32, 4096, 1000


def serve(network):
    """Runs it to the end; returns how many cycles each answer took."""
    asked = {worker: 0 for worker in range(1, network.nodes)}
    rounds = dict.fromkeys(asked, 0)
    waited = []
    for worker in asked:
        network.inject(worker, SERVER, REQUEST_BYTES)
    while len(waited) < ROUNDS * len(asked):
        for delivery in network.advance(network.now + STEP_CYCLES):
            if delivery.target == SERVER:
                network.inject(SERVER, delivery.source, ANSWER_BYTES)
                continue
            worker = delivery.target
            waited.append(delivery.cycle - asked[worker])
            rounds[worker] += 1
            if rounds[worker] < ROUNDS:
                asked[worker] = network.now
                network.inject(worker, SERVER, REQUEST_BYTES)
    return waited


if __name__ == "__main__":
    machine, *settings = sys.argv[1:] or ["bluegene-l", "machine.dims=4x4x4"]
    with weft.Simulation(machine, set=dict(s.split("=", 1) for s in settings)) as network:
        waited = serve(network)
        mean = 1e6 * sum(waited) / len(waited) / network.cycles_per_second
        print(f"{network.nodes - 1} workers, {len(waited)} answers, {mean:.2f} us each on average")
