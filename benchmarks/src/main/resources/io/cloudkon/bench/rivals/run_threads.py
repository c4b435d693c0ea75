"""A bare pool of threads in one process: what is left when there is no scheduler."""

import platform
from concurrent.futures import ThreadPoolExecutor

import rival


def main():
    rival.end_with_input()
    with ThreadPoolExecutor(rival.SLOTS) as pool:

        def run(count, kind, millis):
            futures = [pool.submit(rival.task, i, kind, millis) for i in range(count)]
            return [future.result() for future in futures]

        rival.measure(platform.python_version(), run)


if __name__ == "__main__":
    main()
