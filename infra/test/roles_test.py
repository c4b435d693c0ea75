#!/usr/bin/env python3
"""Least privilege, role by role: runs a cluster in which every command goes through the relays of its role, and compares
the calls that were made with the role's policy as CloudFormation works it out from infra/cloudkon.yaml.

A call without a permission fails the test, and so does a permission that no call took, unless READ names it: those were
read in the code, as what leads to them cannot be brought about here.

EC2 takes several permissions for one call, with conditions: each launch and termination is worked out into what EC2 asks
IAM for, by its documentation (ec2_policy.py; nobody asked AWS). Each condition must be met by a call with each of its
values, and each call must be refused if one of the values that its conditions ask for were another.

Usage: roles_test.py CLOUDKON...   the command that runs cloudkon; in an environment with infra/test/requirements.txt
"""

import json
import re
import shlex
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import boto3

from ec2_policy import Reader, allowing, condition_values
from emulator import CLUSTER, HOME, REGION, STACK, TOOLS, Emulator, bare_environment, deploy
from recorder import Recorder

ROLES = ["Client", "Worker", "Viewer", "Provisioner", "Operator", "Admin"]
# A role of the stack that has other policies besides.
BESIDES = {"Operator": ["Client", "Viewer"], "Admin": ["Viewer"]}
LIMIT = 120  # seconds for any command

# Permissions for what this scenario does not bring about, and where they are used.
READ = {
    "Client": {
        ("dynamodb:BatchGetItem", "Q-claims"): "a run whose results stay away asks for the claims (Follower)"},
    "Worker": {
        ("sqs:SendMessage", "Q-hpc"): "hands a job on, as it does with a bundle (EffectRunner)",
        ("dynamodb:Scan", "Q-workers"): "looks for its replacement after a notice of EC2 (NoticeWatch)",
        ("s3:ListBucket", "bucket"): "makes the answer for an object that is gone 404 instead of 403",
        ("ec2:TerminateInstances", "instance/*"): "ends its own instance, on EC2 only (SelfEnd)"},
    "Viewer": {
        ("dynamodb:BatchGetItem", "Q-claims"): "explain of a task that somebody works on (Explainer)"},
    "Provisioner": {
        ("ec2:CreateFleet", "spot-instances-request/*"): "Spot, which this scenario does not buy (Fleets)",
        ("ec2:RunInstances", "spot-instances-request/*"): "Spot: by EC2 for a fleet, and the trial at the start (LaunchFacts)",
        ("dynamodb:Scan", "Q-runs"): "while the table has no index, or it is being filled (RunIndex)"},
    "Operator": {
        ("sqs:DeleteMessage", "Q-dead"): "dead redrive of a letter that holds a bundle (DeadLetterBox)"},
    "Admin": {
        ("dynamodb:UpdateTable", "Q-runs"): "adds the index to a table that was made without it (DynamoAdmin)",
        ("s3:GetBucketPolicy", "bucket"): "finds a bucket whose setup ended too early, likewise (BucketSetup.configure)",
        ("s3:PutBucketPolicy", "bucket"): "refuses who does not speak TLS, which emulators do not (S3Admin.tlsOnly)"},
}


class Scenario:
    def __init__(self, cloudkon, embedded, ec2, folder):
        self.cloudkon, self.embedded, self.folder = cloudkon, embedded, folder
        upstreams = {
            service: embedded[f"AWS_ENDPOINT_URL_{service.upper()}"] for service in ("sqs", "dynamodb", "s3")}
        self.roles = {role: Recorder(upstreams | {"ec2": ec2}) for role in ROLES}
        self.processes = []

    def environment(self, role):
        return bare_environment() | self.embedded | self.roles[role].environment()

    def run(self, role, *arguments, codes=(0,)):
        command = ["timeout", str(LIMIT), *self.cloudkon, *map(str, arguments)]
        done = subprocess.run(command, cwd=self.folder, env=self.environment(role), capture_output=True, text=True)
        if done.returncode not in codes:
            self.fail(f"{role}: {shlex.join(command)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def aws(self, role, *arguments):
        """EC2 by the AWS command line."""
        subprocess.run([TOOLS / "aws", "ec2", *arguments], check=True, timeout=LIMIT, stdout=subprocess.DEVNULL,
                       env=self.environment(role) | {"AWS_DEFAULT_REGION": REGION})

    def fail(self, why):
        sys.exit(f"{why}\n--- workers and provisioners\n{(self.folder / 'processes.log').read_text()}")

    def start(self, role, *arguments):
        with open(self.folder / "processes.log", "a") as log:
            process = subprocess.Popen(
                [*self.cloudkon, *map(str, arguments)], cwd=self.folder, env=self.environment(role),
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.processes.append(process)
        return process

    def stop(self, *processes):
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait(timeout=LIMIT)
            self.processes.remove(process)

    def close(self):
        self.stop(*self.processes)
        for recorder in self.roles.values():
            recorder.close()

    def raw(self, service):
        return boto3.client(
            service, region_name=self.embedded["AWS_REGION"],
            endpoint_url=self.embedded[f"AWS_ENDPOINT_URL_{service.upper()}"],
            aws_access_key_id=self.embedded["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=self.embedded["AWS_SECRET_ACCESS_KEY"])

    def until(self, what, condition):
        deadline = time.monotonic() + LIMIT
        while not condition():
            if time.monotonic() > deadline:
                self.fail(f"not within {LIMIT} s: {what}")
            time.sleep(0.2)

    def in_flight(self, queue):
        attributes = self.raw("sqs").get_queue_attributes(QueueUrl=queue, AttributeNames=["All"])["Attributes"]
        return int(attributes["ApproximateNumberOfMessagesNotVisible"]) > 0

    def tasks(self, name, *lines):
        file = self.folder / name
        file.write_text("".join(line + "\n" for line in lines))
        return file

    def worker(self, *options):
        return self.start("Worker", "worker", "-s", CLUSTER, "-t", 2, "--rmi-address", "127.0.0.1", *options)


def play(scenario, cloudkon, moto):
    """A cluster's life, so that every command does what it can."""
    run, tasks = scenario.run, scenario.tasks

    run("Admin", "setup", "-s", CLUSTER)
    sqs = scenario.raw("sqs")
    queue = sqs.get_queue_url(QueueName=CLUSTER)["QueueUrl"]
    for suffix in ("", "-hpc", "-ranks", "-dead"):
        sqs.set_queue_attributes(QueueUrl=queue + suffix, Attributes={"ReceiveMessageWaitTimeSeconds": "1"})
    run("Admin", "setup", "-s", CLUSTER, "--fair")
    run("Admin", "setup", "-s", CLUSTER, "--no-fair")

    # a run that nobody works on yet, looked at, left, resumed; one that is cancelled
    waiting = tasks("waiting.txt", "noop", "sleep 1s", "exec echo done")
    run("Client", "client", "-s", CLUSTER, "-w", waiting, "--run-id", "left", "--detach")
    run("Client", "client", "-s", CLUSTER, "-w", waiting, "--run-id", "unwanted", "--detach", "--ship", waiting)
    run("Viewer", "status", "-s", CLUSTER)
    run("Viewer", "runs", "-s", CLUSTER)
    run("Viewer", "explain", "-s", CLUSTER, "left")
    run("Viewer", "explain", "-s", CLUSTER, "left", "1", codes=(0, 1, 2))
    run("Operator", "cancel", "-s", CLUSTER, "unwanted", "--discard")

    # a message that is no bundle: workers put it aside
    sqs.send_message(QueueUrl=queue, MessageBody="no bundle")
    workers = [scenario.worker(), scenario.worker()]
    run("Client", "client", "-s", CLUSTER, "--resume", "left", codes=(0, 1))
    run("Client", "wait", "-s", CLUSTER, "left", codes=(0, 1))

    # a worker that is stopped hands on what it had not begun
    scenario.stop(*workers)
    run("Client", "client", "-s", CLUSTER, "-w", tasks("handed.txt", *["sleep 3s"] * 6), "--bundle", 6, "--run-id",
        "handed", "--detach")
    one = scenario.worker("--drain-timeout", "1s")
    scenario.until("a bundle in hand", lambda: scenario.in_flight(queue))
    scenario.stop(one)
    workers = [scenario.worker(), scenario.worker()]
    run("Client", "client", "-s", CLUSTER, "--resume", "handed", codes=(0, 1))

    # every sort of task; what is large goes by the bucket
    large = tasks("large.jsonl", *[json.dumps({"exec": ["sh", "-c", command]}) for command in (
        "head -c 2000000 /dev/zero | tr '\\0' x", "true # " + "x" * 1_200_000)])
    mixed = tasks(
        "mixed.txt", "noop", "sleep 20ms", "exec cat tasks.shipped", "exec false", "hpc 2 exec true", "hpc 3 sleep 100ms")
    shipped = tasks("tasks.shipped", "shipped")
    for consistency, retries in (("exactly-once", 1), ("at-most-once", 0), ("at-least-once", 1)):
        run("Client", "client", "-s", CLUSTER, "-w", mixed, "--consistency", consistency, "--ship", shipped,
            "--retries", retries, "--out", consistency, codes=(0, 1))
    run("Client", "client", "-s", CLUSTER, "-w", mixed, "--claim", "task", "--ship", shipped, "--out", "by-task",
        codes=(0, 1))
    run("Client", "client", "-s", CLUSTER, "-w", large, "--capture", "3MiB", "--out", "large", codes=(0, 1))

    # the dead letter that the message became
    dead = sqs.get_queue_url(QueueName=f"{CLUSTER}-dead")["QueueUrl"]
    scenario.until("a dead letter", lambda: int(sqs.get_queue_attributes(
        QueueUrl=dead, AttributeNames=["All"])["Attributes"]["ApproximateNumberOfMessages"]) > 0)
    run("Operator", "dead", "list", "-s", CLUSTER)
    # explain looks through the letters of an open run only
    run("Client", "client", "-s", CLUSTER, "-w", tasks("open.txt", "sleep 120s"), "--run-id", "open", "--detach")
    run("Viewer", "explain", "-s", CLUSTER, "open")
    run("Client", "cancel", "-s", CLUSTER, "open", codes=(0, 1))
    run("Operator", "dead", "redrive", "-s", CLUSTER, codes=(0, 1, 2, 3))
    scenario.stop(*workers)

    # a fleet on EC2, whose instances never register
    ec2 = moto.client("ec2", REGION)
    run("Client", "client", "-s", CLUSTER, "-w", waiting, "--run-id", "ec2", "--detach")
    provisioner = scenario.start(
        "Provisioner", "provisioner", "-s", CLUSTER, "--launcher", "ec2", "--launch-template", "cloudkon-Q", "--max", 1,
        "--instance-types", "c7i.large,c6i.large", "--subnets", ec2.describe_subnets()["Subnets"][0]["SubnetId"],
        "--interval", "1s", "--boot-timeout", "15s", "--purchase", "on-demand")
    scenario.until("an instance ended for want of a worker",
                   lambda: any(call["Action"] == "TerminateInstances" for call in scenario.roles["Provisioner"].ec2_calls))
    scenario.stop(provisioner)
    run("Operator", "cancel", "-s", CLUSTER, "ec2", "--discard")

    # a fleet of processes: the workers have the worker's rights, the provisioner only its own
    worker = scenario.roles["Worker"]
    settings = " ".join(
        f"{key}={shlex.quote(value)}" for key, value in worker.environment().items())
    command = f"{settings} exec {shlex.join(cloudkon)} worker -s {CLUSTER} --rmi-address 127.0.0.1 --idle-timeout 2s --billing-minimum 1s"
    provisioner = scenario.start(
        "Provisioner", "provisioner", "-s", CLUSTER, "--launcher", "process", "--max", 2, "--min", 1, "--interval", "1s",
        "--worker-command", command, "--state", scenario.folder / "state")
    run("Client", "client", "-s", CLUSTER, "-w", waiting, "--out", "fleet", codes=(0, 1))
    many = tasks("many.txt", *["sleep 2s"] * 8, "hpc 2 sleep 1s")
    run("Client", "client", "-s", CLUSTER, "-w", many, "--out", "many", codes=(0, 1))
    run("Viewer", "status", "-s", CLUSTER)
    run("Provisioner", "provisioner", "-s", CLUSTER, "--explain")
    scenario.until("an idle worker on a seat", lambda: ("dynamodb:UpdateItem", "Q-decisions") in worker.calls)
    scenario.stop(provisioner)

    # a queue, an object and an instance that were left behind
    sqs.create_queue(QueueName=f"{CLUSTER}-response-0123456789ab")
    scenario.raw("s3").put_object(
        Bucket=f"cloudkon-000000000000-{REGION}", Key=f"{CLUSTER}/left/in/object", Body=b"left")
    template = {"LaunchTemplateName": "cloudkon-Q", "Version": "1"}
    left = ec2.run_instances(MinCount=2, MaxCount=2, LaunchTemplate=template, TagSpecifications=[
        {"ResourceType": "instance", "Tags": [{"Key": "cloudkon:cluster", "Value": CLUSTER},
                                              {"Key": "cloudkon:launch", "Value": "left"}]}])["Instances"]
    # as infra/README.md ends them
    scenario.aws("Operator", "describe-instances", "--filters", f"Name=tag:cloudkon:cluster,Values={CLUSTER}")
    scenario.aws("Operator", "terminate-instances", "--instance-ids", left[0]["InstanceId"])
    scenario.until("a teardown that names the instance", lambda: "instance is left" in run(
        "Admin", "teardown", "-s", CLUSTER, "--yes", codes=(3,)))
    scenario.until("a teardown that ends it", lambda: "cluster Q is gone" in run(
        "Admin", "teardown", "-s", CLUSTER, "--yes", "--instances", codes=(0, 3)))


def statements(moto, role):
    """Those of a role's own policy, worked out."""
    iam = moto.client("iam", "us-east-1")
    stack = moto.client("cloudformation", REGION).describe_stack_resources(StackName=STACK)["StackResources"]
    arn = next(found["PhysicalResourceId"] for found in stack if found.get("LogicalResourceId") == role + "Policy")
    version = iam.get_policy(PolicyArn=arn)["Policy"]["DefaultVersionId"]
    return iam.get_policy_version(PolicyArn=arn, VersionId=version)["PolicyVersion"]["Document"]["Statement"]


def granted(policy):
    """What a policy allows: (permission, resource), resources as the recorder names them."""
    return {
        (action, resource_of(action, resource))
        for statement in policy for action in statement["Action"] for resource in statement["Resource"]}


def resource_of(action, arn):
    service = action.split(":")[0]
    if arn == "*":
        return arn
    name = arn.split(":", 5)[5]
    if service in ("ec2", "iam", "ssm"):
        return name
    return {"sqs": name, "dynamodb": name.removeprefix("table/"),
            "s3": re.sub(r"^cloudkon-\d+-[a-z0-9-]+", "bucket", name)}[service]


def compare_ec2(reader, role, policy, calls):
    """What of a policy was used by calls of EC2; and what is wrong with them."""
    used, met, wrong = set(), [], set()
    requests = [request for call in calls for request in reader.requests(call)]
    for request in requests:
        by = allowing(policy, request)
        if not by:
            wrong.add(f"{request.permission} on {request.resource} was called, and its policy does not allow it: {request.context}")
        for statement, resource in by:
            used.add((request.permission, resource_of(request.permission, resource)))
            met.append((statement, {(key, request.context.get(key)) for key, _ in condition_values(statement)}))
            for key, value in condition_values(statement):
                if allowing(policy, request._replace(context=request.context | {key: "another"})):
                    wrong.add(f"{request.permission} on {request.resource} would be allowed with another {key} than {value}")
    for statement, _ in met:
        seen = set().union(*(values for other, values in met if other is statement))
        wrong |= {f"no call met the condition {key} = {value}" for key, value in condition_values(statement) - seen}
    return used, [f"{role}: {what}" for what in sorted(wrong)]


def compare(moto, scenario):
    failures, reader = 0, Reader(moto, REGION)
    for role in ROLES:
        policy = statements(moto, role)
        all_policies = policy + [one for other in BESIDES.get(role, []) for one in statements(moto, other)]
        used, wrong = compare_ec2(reader, role, all_policies, scenario.roles[role].ec2_calls)
        for what in wrong:
            print(f"FAILED {what}")
            failures += 1
        own = granted(policy)
        made = scenario.roles[role].calls | used
        allowed = granted(all_policies)
        for permission, resource in sorted(made - allowed):
            print(f"FAILED {role}: {permission} on {resource} was called, and its policy does not allow it")
            failures += 1
        for permission, resource in sorted(own - made - READ[role].keys()):
            print(f"FAILED {role}: {permission} on {resource} is allowed, and was not called")
            failures += 1
        for permission, resource in sorted(READ[role].keys() - own):
            print(f"FAILED {role}: READ names {permission} on {resource}, which its policy does not allow")
            failures += 1
        print(f"{role}: {len(own)} permissions, {len(own & made)} of them used, "
              f"{len(own - made)} read in the code")
    return failures


def embedded(cloudkon):
    """The embedded AWS, which ends with its standard input; and what points at it."""
    process = subprocess.Popen(
        [*cloudkon, "local", "--until-stdin-closes"], cwd=HOME, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True, env=bare_environment())
    exports = {}
    while "AWS_SECRET_ACCESS_KEY" not in exports:
        line = process.stdout.readline()
        if not line:
            sys.exit("the embedded AWS did not start")
        if line.startswith("export "):
            key, value = line.removeprefix("export ").strip().split("=", 1)
            exports[key] = value.strip("'\"")
    return process, exports


def main(cloudkon):
    cloudkon = [str(HOME / part) if part.startswith("./") else part for part in cloudkon]
    with ExitStack() as stack, tempfile.TemporaryDirectory() as folder:
        moto = stack.enter_context(Emulator())
        deploy(moto)
        process, exports = embedded(cloudkon)
        stack.callback(process.wait, timeout=30)
        stack.callback(process.stdin.close)
        # one region: EC2 is moto's
        scenario = Scenario(cloudkon, exports | {"AWS_REGION": REGION}, moto.endpoint, Path(folder))
        stack.callback(scenario.close)
        play(scenario, cloudkon, moto)
        return 1 if compare(moto, scenario) else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
