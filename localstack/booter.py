"""Boots the instances of an emulated EC2: each becomes a worker process on this machine.

An emulator keeps instances as records and runs nothing. This watches one cluster's records, starts a worker for each
that runs, in a folder of its own, as another user where it may, and with a metadata service of its own; and it ends the
worker of each that is terminated. Since an emulator asks nobody for credentials, only instances that carry the cluster's
tag and the launch template's own user data are booted.

Instances share this machine's loopback. Where the user data fixes their port for calls between workers, each gets an
address 127.1.x.y of its own, which Linux answers without being told.

What stands for the install script (infra/image/install.sh) is a copy of the worker's jar; the options are read from the
user data, as that script is given them.
"""

import argparse
import base64
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import uuid

import boto3
import botocore.exceptions

from metadata import Metadata

CLUSTER_TAG = "cloudkon:cluster"
USER_DATA = """#!/bin/sh
/opt/cloudkon/image/install.sh --queue '{queue}' --region '{region}' --options '{options}' --start
"""
NOT_POWERED_OFF = (0, 143)  # exit codes after which infra/image/power-off.sh does nothing; nor does it after a signal
TERM_GRACE = 10  # seconds
RESTART_DELAY = 2  # seconds, RestartSec in the unit


def say(text):
    print("booter: " + text, file=sys.stderr, flush=True)


# ---- one instance


class Machine:
    """An instance that was booted: a worker in a process group of its own, in a folder of its own."""

    def __init__(self, record, folder, settings, command, number):
        self.id = record["InstanceId"]
        if "--rmi-port" in command:
            command = [*command, "--rmi-address", "127.1.%d.%d" % divmod(number, 250)]
        tags = {tag["Key"]: tag["Value"] for tag in record.get("Tags", [])}
        entries = {
            "instance-id": self.id,
            "instance-type": record["InstanceType"],
            "instance-life-cycle": record.get("InstanceLifecycle", "on-demand"),
        }
        entries.update({"tags/instance/" + key: value for key, value in tags.items()})
        self.metadata = Metadata(entries)
        self.root = folder / self.id
        self.kill_at = None
        self.restart_at = None
        self.user = {}
        try:
            self.command = self.install(settings, command)
            self.process = self.start()
        except BaseException:
            self.close_metadata()
            raise

    def install(self, settings, command):
        app = self.root / "opt" / "cloudkon"
        for part in (app, self.root / "home", self.root / "tmp"):
            part.mkdir(parents=True)
        jar = shutil.copy(settings.jar, app)
        if os.getuid() == 0:
            for path in [self.root, *self.root.rglob("*")]:
                shutil.chown(path, settings.user)
            self.user = {"user": settings.user, "group": settings.group, "extra_groups": []}
        return [settings.java, "-Djava.io.tmpdir=%s" % (self.root / "tmp"), "-jar", jar, *command]

    def start(self):
        environment = {name: value for name, value in os.environ.items() if name.startswith("AWS_")}
        environment.update(
            PATH=os.environ.get("PATH", "/usr/bin:/bin"),
            HOME=str(self.root / "home"),
            TMPDIR=str(self.root / "tmp"),
            AWS_EC2_METADATA_DISABLED="false",
            AWS_EC2_METADATA_SERVICE_ENDPOINT=self.metadata.endpoint,
        )
        with open(self.root / "worker.log", "ab") as log:
            return subprocess.Popen(
                self.command,
                cwd=self.root / "home",
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                **self.user,
            )

    def restart(self):
        """Starts another worker when the delay is over, after one that has ended; call it until then."""
        if self.restart_at is None:
            self.signal(signal.SIGKILL)
            self.restart_at = time.monotonic() + RESTART_DELAY
        elif time.monotonic() >= self.restart_at:
            self.restart_at = None
            self.process = self.start()
            say("%s: its next worker is process %d" % (self.id, self.process.pid))

    def close_metadata(self):
        self.metadata.shutdown()
        self.metadata.server_close()

    def close(self):
        """Ends it at once, with what it may have left in its process group."""
        self.signal(signal.SIGKILL)
        self.process.wait()
        self.close_metadata()

    def end(self):
        """Asks for the end once, and insists when the grace is over."""
        if self.kill_at is None:
            self.kill_at = time.monotonic() + TERM_GRACE
            self.signal(signal.SIGTERM)
        elif time.monotonic() >= self.kill_at:
            self.signal(signal.SIGKILL)

    def signal(self, number):
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            pass


# ---- all of them


class Booter:
    def __init__(self, ec2, settings):
        self.ec2 = ec2
        self.settings = settings
        self.folder = pathlib.Path(settings.root)
        self.machines = {}
        self.refused = set()
        self.over = set()
        self.powering_off = set()
        self.stopping = False

    def run(self):
        signal.signal(signal.SIGTERM, self.stop)
        signal.signal(signal.SIGINT, self.stop)
        expected = self.template_data()
        command = worker_arguments(base64.b64decode(expected).decode())
        say("boots the instances of cluster %s as workers in %s" % (self.settings.cluster, self.folder))
        try:
            while not self.stopping or self.machines:
                try:
                    self.look(expected, command)
                except (botocore.exceptions.BotoCoreError, botocore.exceptions.ClientError) as e:
                    say("EC2 does not answer, trying again: %s" % e)
                time.sleep(self.settings.interval)
        finally:
            self.end_all()

    def end_all(self):
        """Leaves none behind, whatever ends the booter: they are process groups of their own."""
        while self.machines:
            _, machine = self.machines.popitem()
            machine.close()

    def stop(self, *unused):
        self.stopping = True

    def template_data(self):
        try:
            versions = self.ec2.describe_launch_template_versions(
                LaunchTemplateName=self.settings.launch_template, Versions=["$Latest"]
            )["LaunchTemplateVersions"]
        except botocore.exceptions.ClientError as e:
            sys.exit("booter: launch template %s: %s; make it first" % (self.settings.launch_template, e))
        data = versions[0]["LaunchTemplateData"].get("UserData")
        if not data:
            sys.exit("booter: launch template %s has no user data" % self.settings.launch_template)
        return data

    def look(self, expected, command):
        # the processes before the records: a worker ends its instance before itself, so where its process has
        # ended, the record that is read afterwards tells whether it did
        ended = {machine.id: machine.process.poll() for machine in self.machines.values()}
        states = {}
        for record in self.records():
            states[record["InstanceId"]] = record["State"]["Name"]
            if record["State"]["Name"] == "running" and not self.stopping:
                self.boot(record, expected, command)
        for machine in list(self.machines.values()):
            code = ended.get(machine.id)
            if code is not None:
                self.ended(machine, code, states.get(machine.id))
            elif self.stopping or states.get(machine.id) in ("shutting-down", "terminated", None):
                machine.end()
        self.power_off(states)

    def records(self):
        pages = self.ec2.get_paginator("describe_instances").paginate(
            Filters=[{"Name": "tag:" + CLUSTER_TAG, "Values": [self.settings.cluster]}]
        )
        for page in pages:
            for reservation in page["Reservations"]:
                yield from reservation["Instances"]

    def boot(self, record, expected, command):
        instance = record["InstanceId"]
        if instance in self.machines or instance in self.over or instance in self.refused:
            return
        attribute = self.ec2.describe_instance_attribute(InstanceId=instance, Attribute="userData")
        if attribute.get("UserData", {}).get("Value") != expected:
            self.refused.add(instance)
            say("%s is not booted: its user data is not the template's" % instance)
            return
        self.machines[instance] = Machine(record, self.folder, self.settings, command, 1 + len(self.machines) + len(self.over))
        say("%s boots: process %d" % (instance, self.machines[instance].process.pid))

    def ended(self, machine, code, state):
        """What the unit does on an instance: it powers off where the worker ended itself or failed, or starts another."""
        if machine.restart_at is None:
            say("%s: its worker ended with %d" % (machine.id, code))
        powers_off = code > 0 and code not in NOT_POWERED_OFF
        if state == "running" and not self.stopping and not powers_off:
            machine.restart()
            return
        machine.close()
        self.machines.pop(machine.id)
        self.over.add(machine.id)
        if powers_off and state == "running":
            say("%s powers off" % machine.id)
            self.powering_off.add(machine.id)

    def power_off(self, states):
        """Tries again at each look what EC2 did not answer."""
        for instance in list(self.powering_off):
            if states.get(instance) == "running":
                self.ec2.terminate_instances(InstanceIds=[instance])
            self.powering_off.discard(instance)


def worker_arguments(user_data):
    """What install.sh makes of its options."""
    told = dict(re.findall(r"--(queue|rmi-port|options) '([^']*)'", user_data))
    if "queue" not in told:
        sys.exit("booter: the launch template's user data does not call install.sh with --queue 'NAME'")
    options = told.get("options", "")
    said = " %s " % " ".join(options.lower().replace("=", " ").split())
    port = [] if " --rmi-port " in said or " --roles mtc " in said else ["--rmi-port", told.get("rmi-port")]
    return ["-s", told["queue"], *(port if told.get("rmi-port") else []), *options.split()]


def make_template(ec2, settings):
    """The launch template of a cluster, as infra/cloudkon.yaml makes it, as far as an emulator needs it."""
    user_data = USER_DATA.format(queue=settings.cluster, region=region(), options=settings.options)
    ec2.create_launch_template(
        LaunchTemplateName=settings.launch_template,
        ClientToken=str(uuid.uuid4()),
        LaunchTemplateData={
            "ImageId": settings.image,
            "InstanceType": settings.type,
            "UserData": base64.b64encode(user_data.encode()).decode(),
            "InstanceInitiatedShutdownBehavior": "terminate",
            "MetadataOptions": {"HttpTokens": "required", "HttpPutResponseHopLimit": 1, "InstanceMetadataTags": "enabled"},
        },
    )
    say("made launch template %s" % settings.launch_template)


def region():
    return os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION") or "us-east-1"


def main():
    parser = argparse.ArgumentParser(prog="booter", description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    template = commands.add_parser("template", help="make a launch template whose instances can be booted here")
    watch = commands.add_parser("run", help="boot a cluster's instances until stopped (SIGTERM, Ctrl-C)")
    listing = commands.add_parser("instances", help="print the cluster's instances that are not terminated, as JSON")
    for one in (template, watch, listing):
        one.add_argument("-s", dest="cluster", required=True, metavar="QUEUE", help="the cluster")
    for one in (template, watch):
        one.add_argument("--launch-template", required=True, metavar="NAME")
    template.add_argument("--options", default="", help="options of each worker, such as '-t 2 --idle-timeout 30s'")
    template.add_argument("--image", default="ami-12345678", help="any; it is not looked at")
    template.add_argument("--type", default="c7i.large", help="instance type; default: %(default)s")
    watch.add_argument("--jar", required=True, help="the worker's jar")
    watch.add_argument("--java", default="java", help="a Java 25; default: %(default)s")
    watch.add_argument("--root", required=True, metavar="DIR", help="a folder below which each instance gets its own")
    watch.add_argument("--user", default="nobody", help="whom workers run as, where the booter is root")
    watch.add_argument("--group", default="nogroup")
    watch.add_argument("--interval", type=float, default=0.5, help="seconds between looks; default: %(default)s")
    settings = parser.parse_args()
    if not os.environ.get("AWS_ENDPOINT_URL") and not os.environ.get("AWS_ENDPOINT_URL_EC2"):
        sys.exit("booter: AWS_ENDPOINT_URL is not set: this is for emulators only")
    ec2 = boto3.client("ec2", region_name=region())
    if settings.command == "template":
        make_template(ec2, settings)
        return
    booter = Booter(ec2, settings) if settings.command == "run" else None
    if booter:
        try:
            booter.run()
        except OSError as e:
            sys.exit("booter: an instance cannot be booted, and the others are ended: %s" % e)
    else:
        filters = [{"Name": "tag:" + CLUSTER_TAG, "Values": [settings.cluster]}]
        answer = ec2.describe_instances(Filters=filters)
        left = [
            {"instance": one["InstanceId"], "state": one["State"]["Name"]}
            for reservation in answer["Reservations"]
            for one in reservation["Instances"]
            if one["State"]["Name"] != "terminated"
        ]
        print(json.dumps(left))


if __name__ == "__main__":
    main()
