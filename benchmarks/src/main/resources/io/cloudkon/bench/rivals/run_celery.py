"""Celery: tasks through SQS, results through files. "run_celery.py worker" is the worker, which stands before the measurement."""

import os
import sys
from urllib.parse import quote, urlsplit

import celery
from celery import Celery
from celery.signals import worker_ready

import rival

# within which the worker looks again when its prefetch was full, and a client for a result
LOOK_SECONDS = 0.005

sqs = urlsplit(os.environ["AWS_ENDPOINT_URL_SQS"])
app = Celery("rivals")
app.conf.update(
    broker_url="sqs://%s:%s@%s:%d"
    % (
        quote(os.environ["AWS_ACCESS_KEY_ID"], safe=""),
        quote(os.environ["AWS_SECRET_ACCESS_KEY"], safe=""),
        sqs.hostname,
        sqs.port,
    ),
    broker_transport_options={
        "region": os.environ["AWS_REGION"],
        "is_secure": False,
        "wait_time_seconds": 10,
        "polling_interval": LOOK_SECONDS,
        "visibility_timeout": 3600,
    },
    broker_connection_retry_on_startup=True,
    task_default_queue="rivals",
    task_acks_late=True,  # as ours: a message is deleted once its task is done
    worker_prefetch_multiplier=8,
    worker_enable_remote_control=False,
    worker_redirect_stdouts=False,  # or READY would be a line of its log
    result_backend="file://" + os.environ["RIVALS_RESULTS"],
)


@app.task(name="task")
def task(index, kind, millis):
    return rival.task(index, kind, millis)


@worker_ready.connect
def say_ready(**_):
    print("READY", flush=True)


def run(count, kind, millis):
    sent = [task.delay(i, kind, millis) for i in range(count)]
    return [result.get(interval=LOOK_SECONDS) for result in sent]


def main():
    rival.end_with_input()
    if sys.argv[1] == "worker":
        options = ["--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel=ERROR"]
        app.worker_main(["--quiet", "worker", "--pool=prefork", "--concurrency=%d" % rival.SLOTS, *options])
    else:
        rival.measure(celery.__version__, run)


if __name__ == "__main__":
    main()
