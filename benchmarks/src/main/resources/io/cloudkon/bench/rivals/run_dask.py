"""Dask: client, scheduler and workers on this machine, in memory, without its dashboard."""

import logging

import distributed
from distributed import Client, LocalCluster

import rival

WORKERS = 2


def main():
    rival.end_with_input()
    with LocalCluster(
        host="127.0.0.1",
        n_workers=WORKERS,
        threads_per_worker=rival.SLOTS // WORKERS,
        processes=True,
        dashboard_address=None,
        silence_logs=logging.ERROR,
    ) as cluster, Client(cluster) as client:

        def run(count, kind, millis):
            futures = client.map(rival.task, range(count), kind=kind, millis=millis, pure=False)
            return client.gather(futures)

        rival.measure(distributed.__version__, run)


if __name__ == "__main__":
    main()
