"""What the scripts of all rivals share.

Each is called SCRIPT KIND MILLIS TASKS, does the work once, and prints one line of JSON: the version, the number of tasks
whose results it has checked, the seconds from the first submit to the last result, and those of the warm-up before.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time

SLOTS = 4
WARM_UPS = 16
SHELL = "/bin/sh"


def task(index, kind, millis):
    """One task: returns its index, so that no result can be missed or counted twice."""
    if kind == "sleep":
        time.sleep(millis / 1000)
    elif kind == "true":
        subprocess.run([SHELL, "-c", "true"], check=True)
    return index


def end_with_input():
    """Kills this process and all that it has started once standard input ends: the benchmark is gone."""
    if os.getpgrp() != os.getpid():
        os.setpgid(0, 0)

    def watch():
        # not sys.stdin, whose lock a thread must not hold when the interpreter ends
        while os.read(0, 1):
            pass
        os.killpg(0, signal.SIGKILL)

    threading.Thread(target=watch, name="end-with-input", daemon=True).start()


def measure(version, run, ready=lambda: None):
    """Runs the work that the command line asks for, by run(count, kind, millis), which returns the results.

    A warm-up goes before it, and ready(), which returns once every slot has its process; a single task has to do without.
    """
    kind, millis, count = arguments()
    warm_up = time.perf_counter()
    if count > 1:
        check(run(WARM_UPS, "noop", 0), WARM_UPS)
        ready()
    begun = time.perf_counter()
    results = run(count, kind, millis)
    ended = time.perf_counter()
    check(results, count)
    report(version, count, ended - begun, begun - warm_up)


def arguments():
    return sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def check(results, count):
    if sorted(results) != list(range(count)):
        sys.exit("%d results, expected those of %d tasks, each once" % (len(results), count))


def report(version, count, seconds, warm_up):
    line = {"version": version, "tasks": count, "seconds": seconds, "warmUpSeconds": warm_up}
    print(json.dumps(line), flush=True)
