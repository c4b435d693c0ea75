#!/usr/bin/env python3
"""Goes from nothing to results and back by the commands of infra/README.md: takes its fenced blocks in their order, runs
every command as it stands there where an emulator can, and looks at the end whether anything is left.

LocalStack is the cloud: queues, bucket, instances, roles to assume. Two things it lacks come from moto: DynamoDB, and
CloudFormation, as LocalStack's does not know the type of a launch template. So what the stack made is made in LocalStack
as well, by `mirror`, after it was deployed by the README's own command. Instances are booted by localstack/booter.py.

COMMANDS names every command of the README and what is done with it. A command that no line there begins, and a line that
no command needs, fail the test.

Usage: readme_test.py   in an environment with infra/test/requirements.txt, with LocalStack's AWS_ENDPOINT_URL
(localstack/host-mode.sh start), the jars built, and a Java 25 as JAVA_HOME or on the PATH
"""

import json
import os
import re
import select
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import boto3

from emulator import CLUSTER, HOME, README, REGION, STACK, TOOLS, Emulator, bare_environment

ACCOUNT = "123456789012"  # as an access key it is the account of the same number, in LocalStack as in moto
LIMIT = 120  # seconds for any command
TABLES = ["claims", "runs", "workers", "ledger", "decisions"]
RUN = "run as it stands"
# what the README says before the commands of the provisioner's terminal, or of another one
ANOTHER_TERMINAL, FIRST_TERMINAL = "In another terminal", "First stop the provisioner with Ctrl-C"


class Instead:
    """What is done in place of a command, or besides it, and why."""

    def __init__(self, reason, action):
        self.reason, self.action = reason, action


class Left(str):
    """Why a command is not run."""


def blocks(text):
    """The README's commands by block, each with the text before it; a command that goes on in the next line is one."""
    before = 0
    for block in re.finditer(r"^```\n(.*?)^```$", text, re.M | re.S):
        commands = re.findall(r"(?:[^\n]*(?:\\|\|\||&&)\n)*[^\n]+\n", block[1])
        yield text[before:block.start()], [command.rstrip("\n") for command in commands]
        before = block.end()


class Terminal:
    """A shell that stays, as variables and functions do; a background job gets Ctrl-C like one in a terminal."""

    def __init__(self, environment, log):
        self.answers, ours = os.pipe()
        self.process = subprocess.Popen(
            ["bash", "--noprofile", "--norc"], cwd=HOME, env=environment, stdin=subprocess.PIPE, stdout=log, stderr=log,
            text=True, pass_fds=[ours], start_new_session=True)
        self.reply = ours
        self.run("set -m")

    def run(self, command):
        """The exit code; `!` for a command that does not come back."""
        self.process.stdin.write(f"{{\n{command}\n}} </dev/null\necho $? >&{self.reply}\n")
        self.process.stdin.flush()
        ready, _, _ = select.select([self.answers], [], [], LIMIT)
        return os.read(self.answers, 16).decode().strip() if ready else "!"

    def close(self):
        """Ends the shell and what it may have left running."""
        subprocess.run(["pkill", "-TERM", "-s", str(self.process.pid)], check=False)
        self.process.kill()
        self.process.communicate()
        os.close(self.answers)
        os.close(self.reply)


class Cloud:
    """LocalStack with what comes from moto, and what goes on in them."""

    def __init__(self, localstack, tables, stacks, folder):
        self.localstack, self.tables, self.stacks, self.folder = localstack, tables, stacks, folder
        self.booter = None
        self.home = folder / "home"
        (self.home / ".aws").mkdir(parents=True)
        (self.home / ".aws/credentials").write_text(
            f"[default]\naws_access_key_id = {ACCOUNT}\naws_secret_access_key = test\n")
        # version 1 of the command line, which is what PyPI has, reads the region from another variable than version 2
        bin_folder = folder / "bin"
        bin_folder.mkdir()
        (bin_folder / "aws").write_text(
            f'#!/bin/sh\n[ -z "${{AWS_REGION:-}}" ] || export AWS_DEFAULT_REGION="$AWS_REGION"\nexec {TOOLS}/aws "$@"\n')
        (bin_folder / "aws").chmod(0o755)
        self.endpoints = {
            "AWS_ENDPOINT_URL": localstack, "AWS_ENDPOINT_URL_DYNAMODB": tables.endpoint,
            "AWS_ENDPOINT_URL_CLOUDFORMATION": stacks.endpoint}

    def environment(self):
        """A new terminal's: credentials in a file, no region."""
        mine = {key: value for key, value in bare_environment().items() if key != "AWS_EC2_METADATA_DISABLED"}
        return mine | self.endpoints | {
            "HOME": str(self.home), "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "CLOUDKON_BUILD": "off"}

    def client(self, service):
        endpoint = {"dynamodb": self.tables.endpoint, "cloudformation": self.stacks.endpoint}
        return boto3.client(
            service, region_name=REGION, endpoint_url=endpoint.get(service, self.localstack),
            aws_access_key_id=ACCOUNT, aws_secret_access_key="test")

    def mirror(self, terminal):
        """Makes in LocalStack what the stack made in moto; deploy_test compares what setup makes with the stack's."""
        made = self.client("cloudformation").describe_stack_resources(StackName=STACK)["StackResources"]
        found = {one.get("LogicalResourceId"): one.get("PhysicalResourceId") for one in made}
        expect("setup in place of the stack", terminal.run(f"./cloudkon setup -s {CLUSTER}"), "0")
        sqs, dynamodb, ec2 = self.client("sqs"), self.client("dynamodb"), self.client("ec2")
        for suffix in ("", "-hpc", "-ranks", "-dead"):
            url = sqs.get_queue_url(QueueName=CLUSTER + suffix)["QueueUrl"]
            sqs.tag_queue(QueueUrl=url, Tags={"cloudkon:stack": STACK})
        for kind in TABLES:
            name = f"{CLUSTER}-{kind}"
            arn = dynamodb.describe_table(TableName=name)["Table"]["TableArn"]
            dynamodb.tag_resource(ResourceArn=arn, Tags=[{"Key": "cloudkon:stack", "Value": STACK}])
            dynamodb.update_table(TableName=name, DeletionProtectionEnabled=True)
        theirs = self.stacks.client("ec2", REGION).describe_launch_template_versions(
            LaunchTemplateId=found["LaunchTemplate"])["LaunchTemplateVersions"][0]["LaunchTemplateData"]
        vpc = ec2.describe_vpcs(Filters=[{"Name": "is-default", "Values": ["true"]}])["Vpcs"][0]["VpcId"]
        group = ec2.create_security_group(GroupName=f"cloudkon-{CLUSTER}", Description="workers", VpcId=vpc)
        ec2.create_launch_template(
            LaunchTemplateName=f"cloudkon-{CLUSTER}",
            LaunchTemplateData=theirs | {"SecurityGroupIds": [group["GroupId"]]})

    def unmirror(self):
        ec2 = self.client("ec2")
        ec2.delete_launch_template(LaunchTemplateName=f"cloudkon-{CLUSTER}")
        for group in ec2.describe_security_groups(
                Filters=[{"Name": "group-name", "Values": [f"cloudkon-{CLUSTER}"]}])["SecurityGroups"]:
            ec2.delete_security_group(GroupId=group["GroupId"])

    def unprotect(self):
        for emulator in (self.tables, self.stacks):
            for kind in TABLES:
                emulator.client("dynamodb", REGION).update_table(
                    TableName=f"{CLUSTER}-{kind}", DeletionProtectionEnabled=False)

    def boot(self):
        """Starts what runs the instances, which an emulator keeps as records."""
        java = f"{os.environ['JAVA_HOME']}/bin/java" if os.environ.get("JAVA_HOME") else "java"
        keys = {"AWS_ACCESS_KEY_ID": ACCOUNT, "AWS_SECRET_ACCESS_KEY": "test", "AWS_REGION": REGION}
        with open(self.folder / "booter.log", "w") as log:
            self.booter = subprocess.Popen(
                [sys.executable, HOME / "localstack/booter.py", "run", "-s", CLUSTER, "--launch-template",
                 f"cloudkon-{CLUSTER}", "--root", self.folder / "instances", "--java", java,
                 "--jar", HOME / "cloudkon-worker/target/cloudkon-worker.jar"],
                env=self.environment() | keys, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def close(self):
        if self.booter:
            self.booter.terminate()
            self.booter.wait(timeout=60)

    def remains(self):
        """What is still there, by kind."""
        ec2, tags = self.client("ec2"), [{"Name": "tag:cloudkon:cluster", "Values": [CLUSTER]}]
        instances = [
            one["InstanceId"] for reservation in ec2.describe_instances(Filters=tags)["Reservations"]
            for one in reservation["Instances"] if one["State"]["Name"] != "terminated"]
        stacks = self.client("cloudformation").list_stacks()["StackSummaries"]
        everything = {
            "instances": instances,
            "queues": self.client("sqs").list_queues().get("QueueUrls", []),
            "tables": self.client("dynamodb").list_tables()["TableNames"],
            "buckets": [bucket["Name"] for bucket in self.client("s3").list_buckets()["Buckets"]],
            "launch templates": [one["LaunchTemplateName"] for one in ec2.describe_launch_templates()["LaunchTemplates"]],
            "stacks": [one["StackName"] for one in stacks if one["StackStatus"] != "DELETE_COMPLETE"]}
        return {kind: left for kind, left in everything.items() if left}


failures = []


def expect(what, actual, expected):
    if actual != expected:
        failures.append(f"{what}: {actual!r}, expected {expected!r}")


# ---- what is done with each command, by how it begins; the first that fits


def deployed(cloud, terminal, command):
    expect(command, terminal.run(command), "0")
    cloud.mirror(terminal)
    cloud.boot()


def spot_role(_, terminal, command):
    expect(f"{command}: 0 or 255", terminal.run(command) in ("0", "255"), True)


def in_background(_, terminal, command):
    expect(command, terminal.run(f"{command} >\"$HOME/provisioner.log\" 2>&1 &\nPROVISIONER=$!"), "0")


def roles_by_resource(_, terminal, command):
    """A function with the same name, which takes the role from the stack's resources."""
    function = command.split("(")[0]
    instead = (
        f"{function}() {{ aws cloudformation describe-stack-resources --stack-name {STACK} --output text --query"
        f" \"StackResources[?LogicalResourceId=='$1Role'].join('', ['arn:aws:iam::{ACCOUNT}:role/', PhysicalResourceId])\"; }}")
    expect(command, terminal.run(instead), "0")


def results(name):
    def check(cloud, terminal, command):
        expect(command, terminal.run(f"{command} --out \"$HOME/{name}\""), "0")
        report = cloud.home / name / "results.jsonl"
        lines = [json.loads(line) for line in report.read_text().splitlines()] if report.exists() else []
        tasks = len((HOME / "tasks.txt").read_text().splitlines())
        expect(f"{command}: results that SUCCEEDED",
               sum(line["status"] == "SUCCEEDED" for line in lines), tasks)
    return check


def provisioner_ended(_, terminal, command):
    expect("the provisioner after Ctrl-C", terminal.run('kill -INT "$PROVISIONER"; wait "$PROVISIONER"'), "130")
    expect(command, terminal.run(command), "0")


def unprotected(cloud, *_):
    cloud.unprotect()


def refused_then_deleted(cloud, terminal, command):
    expect("teardown of what a stack owns", terminal.run(f"./cloudkon teardown -s {CLUSTER} --yes"), "3")
    expect(command, terminal.run(command), "0")
    cloud.unmirror()


COMMANDS = [
    ("mvn -q -DskipTests package", Left("the jars are built before this test")),
    ("export AWS_REGION=", RUN),
    ("ACCOUNT=$(aws sts get-caller-identity ", RUN),
    ("VPC=$(aws ec2 describe-vpcs ", RUN),
    ("SUBNETS=$(aws ec2 describe-subnets ", RUN),
    ("TYPES=", RUN),
    ("EMAIL=", RUN),
    ("SHA256=$(infra/image/archive.sh ", RUN),
    ("aws s3 mb ", RUN),
    ("ARCHIVE=", RUN),
    ("aws s3 cp ", RUN),
    ("aws cloudformation deploy --stack-name cloudkon-Q --template-file infra/cloudkon.yaml --capabilities CAPABILITY_IAM \\\n"
     "  --parameter-overrides Queue=Q ",
     Instead("run as it stands, on moto; then made in LocalStack by setup and a copy of the launch template", deployed)),
    ("aws iam get-role --role-name AWSServiceRoleForEC2Spot ",
     Instead("run as it stands; an emulator gives the role another name, so it says InvalidInput the second time", spot_role)),
    ("./cloudkon provisioner ", Instead("run as it stands, in the background until Ctrl-C", in_background)),
    ("seq 40 ", RUN),
    ("./cloudkon client ", Instead("run with --out besides, to count the results", results("first"))),
    ("role() ", Instead("moto gives no outputs of a stack that a change set made: from its resources", roles_by_resource)),
    ("printf '[profile cloudkon-client]", RUN),
    ("AWS_PROFILE=cloudkon-client ./cloudkon client ",
     Instead("run with --out besides, to count the results", results("by-role"))),
    ("packer init ", Left("Packer's plug-in cannot be had here")),
    ("packer build ", Left("Packer's plug-in cannot be had here")),
    ("aws cloudformation deploy --stack-name cloudkon-Q --template-file infra/cloudkon.yaml --capabilities CAPABILITY_IAM \\\n"
     "  --parameter-overrides ImageId=",
     Left("moto fails to update a stack that has a parameter of a list type")),
    ("INSTANCES=$(aws ec2 describe-instances ", Instead("run as it stands, after Ctrl-C for the provisioner", provisioner_ended)),
    ("[ -z \"$INSTANCES\" ] || aws ec2 terminate-instances ", RUN),
    ("aws ec2 describe-instances --filters Name=tag:cloudkon:cluster,Values=Q ", RUN),
    ("[ -z \"$INSTANCES\" ] || aws ec2 wait instance-terminated ", RUN),
    ("aws cloudformation deploy --stack-name cloudkon-Q --template-file infra/cloudkon.yaml --capabilities CAPABILITY_IAM \\\n"
     "  --parameter-overrides DeletionProtection=false",
     Instead("moto fails to update a stack that has a parameter of a list type: by UpdateTable", unprotected)),
    ("aws cloudformation delete-stack ",
     Instead("run as it stands, on moto, after a teardown that is to be refused; then in LocalStack", refused_then_deleted)),
    ("aws cloudformation wait stack-delete-complete ", RUN),
    ("./cloudkon teardown ", RUN),
    ("aws s3 rb --force ", RUN),
]


def known(command):
    return next((line for line in COMMANDS if command.startswith(line[0])), None)


def what_is_known_is_what_stands_there(commands):
    for command in commands:
        if not known(command):
            failures.append(f"infra/README.md has a command that COMMANDS does not name: {command}")
    for line in COMMANDS:
        if line not in map(known, commands):
            failures.append(f"COMMANDS names what infra/README.md does not have: {line[0]}")


def what_changes_the_terminal_stands_there(text):
    for sentence in (ANOTHER_TERMINAL, FIRST_TERMINAL):
        found = sum(sentence in before for before, _ in blocks(text))
        expect(f"infra/README.md: blocks of commands after {sentence!r}", found, 1)


def go(cloud, text, open_terminal):
    first = terminal = open_terminal()
    for before, commands in blocks(text):
        if ANOTHER_TERMINAL in before:
            terminal = open_terminal()
        elif FIRST_TERMINAL in before:
            terminal = first
        for command in commands:
            start = time.monotonic()
            _, action = known(command)
            if isinstance(action, Instead):
                action.action(cloud, terminal, command)
            elif action is RUN:
                expect(command, terminal.run(command), "0")
            said = "not run" if isinstance(action, Left) else f"{time.monotonic() - start:.1f} s"
            print(f"{said:>8}  {command.splitlines()[0][:110]}")
            if action is not RUN:
                print(f"          ^ {action if isinstance(action, Left) else action.reason}")
            sys.stdout.flush()
            if failures:
                return
    expect("what is left at the end", cloud.remains(), {})


def main():
    localstack = os.environ.get("AWS_ENDPOINT_URL")
    if not localstack:
        sys.exit(__doc__)
    text, tasks = README.read_text(), HOME / "tasks.txt"
    what_is_known_is_what_stands_there([command for _, commands in blocks(text) for command in commands])
    what_changes_the_terminal_stands_there(text)
    if not failures:
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            folder.chmod(0o755)  # instances are another user's
            tables, stacks = stack.enter_context(Emulator()), stack.enter_context(Emulator())
            cloud = Cloud(localstack, tables, stacks, folder)
            stack.callback(tasks.unlink, missing_ok=True)
            stack.callback(cloud.close)
            log = stack.enter_context(open(folder / "commands.log", "w"))

            def open_terminal():
                terminal = Terminal(cloud.environment(), log)
                stack.callback(terminal.close)
                return terminal

            expect("what is there at the beginning", cloud.remains(), {})
            go(cloud, text, open_terminal)
            if failures:
                for file in sorted([*folder.rglob("*.log")]):
                    print(f"--- {file.relative_to(folder)}\n{file.read_text()[-3000:]}")
    for failure in failures:
        print(f"FAILED {failure}")
    print(f"infra/README.md: {len(COMMANDS)} commands, {sum(action is RUN for _, action in COMMANDS)} run as they stand, "
          f"{sum(isinstance(action, Instead) for _, action in COMMANDS)} changed, "
          f"{sum(isinstance(action, Left) for _, action in COMMANDS)} not run; {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
