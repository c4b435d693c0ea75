"""HyperQueue: server and worker in this process, as its Python package starts them, without a journal.

Its task is a command; a no-op is "true". The API asks once a second whether a job is over, so a last task, which depends on all
the others, makes a file: that is the time of the last result.
"""

import os
import sys
import tempfile
import time

from hyperqueue import Job, LocalCluster
from hyperqueue.cluster import WorkerConfig
from hyperqueue.ffi import get_version

import rival

LOOK_SECONDS = 0.002


def command(kind, millis):
    return "sleep %s" % (millis / 1000) if kind == "command" else "true"


def run(client, folder, count, kind, millis):
    """Returns the seconds from the submit to the end of the last task."""
    end = os.path.join(folder, "end-of-%d" % count)
    job = Job(folder, max_fails=1)
    args = [rival.SHELL, "-c", command(kind, millis)]
    tasks = [job.program(args, stdout=None, stderr=None) for _ in range(count)]
    job.program([rival.SHELL, "-c", ': > "$0"', end], deps=tasks, stdout=None, stderr=None)
    begun = time.perf_counter()
    submitted = client.submit(job)
    asked = begun
    while not os.path.exists(end):
        now = time.perf_counter()
        if now - asked > 1:
            asked = now
            failed = client.get_failed_tasks(submitted)
            if failed:
                sys.exit("tasks failed: %s" % failed)
        time.sleep(LOOK_SECONDS)
    return time.perf_counter() - begun


def main():
    rival.end_with_input()
    kind, millis, count = rival.arguments()
    with tempfile.TemporaryDirectory(dir=os.environ["RIVALS_TEMP"]) as folder:
        with LocalCluster(folder, WorkerConfig(cores=rival.SLOTS)) as cluster:
            client = cluster.client()
            warm_up = run(client, folder, rival.WARM_UPS, "noop", 0) if count > 1 else 0
            seconds = run(client, folder, count, kind, millis)
    rival.report(get_version(), count, seconds, warm_up)


if __name__ == "__main__":
    main()
