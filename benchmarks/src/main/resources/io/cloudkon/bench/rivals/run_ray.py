"""Ray: one node on this machine, in memory, without its dashboard; usage statistics are off by the environment."""

import os
import time

import ray

import rival


@ray.remote
def process():
    time.sleep(0.02)  # so long that the next one goes to another process
    return os.getpid()


def ready():
    """Ray starts its processes as tasks come."""
    seen = set()
    while len(seen) < rival.SLOTS:
        seen.update(ray.get([process.remote() for _ in range(rival.SLOTS)]))


def main():
    rival.end_with_input()
    ray.init(
        address="local",
        num_cpus=rival.SLOTS,
        include_dashboard=False,
        log_to_driver=False,
        logging_level="ERROR",
        _node_ip_address="127.0.0.1",
        _temp_dir=os.environ["RIVALS_TEMP"],
    )
    try:
        task = ray.remote(rival.task)

        def run(count, kind, millis):
            return ray.get([task.remote(i, kind, millis) for i in range(count)])

        rival.measure(ray.__version__, run, ready)
    finally:
        ray.shutdown()


if __name__ == "__main__":
    main()
