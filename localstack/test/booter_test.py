#!/usr/bin/env python3
"""The booter's machines without an emulator: what it starts ends with it, and what a unit would power off is terminated.

Usage: booter_test.py   in an environment with infra/test/requirements.txt
"""

import base64
import pathlib
import sys
import tempfile
import types
import unittest
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import booter  # noqa: E402

USER_DATA = base64.b64encode(b"install.sh --queue 'q' --rmi-port '7099' --options '-t 2' --start\n").decode()


class Ec2:
    """Records, as an emulator keeps them."""

    def __init__(self, *instances):
        self.states = dict.fromkeys(instances, "running")
        self.terminated = []

    def describe_launch_template_versions(self, **unused):
        return {"LaunchTemplateVersions": [{"LaunchTemplateData": {"UserData": USER_DATA}}]}

    def get_paginator(self, unused):
        return self

    def paginate(self, **unused):
        yield {"Reservations": [{"Instances": [
            {"InstanceId": name, "InstanceType": "c7i.large", "State": {"Name": state}}
            for name, state in self.states.items()]}]}

    def describe_instance_attribute(self, **unused):
        return {"UserData": {"Value": USER_DATA}}

    def terminate_instances(self, InstanceIds):
        self.terminated += InstanceIds
        self.states.update(dict.fromkeys(InstanceIds, "terminated"))


class BooterTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.folder.chmod(0o755)
        (self.folder / "worker.jar").write_text("a jar")
        self.settings = types.SimpleNamespace(
            cluster="q", launch_template="t", root=str(self.folder / "root"), jar=str(self.folder / "worker.jar"),
            java=str(self.folder / "java"), user="nobody", group="nogroup", interval=0.01)

    def java(self, script):
        (self.folder / "java").write_text("#!/bin/sh\n" + script)
        (self.folder / "java").chmod(0o755)

    def booter(self, ec2):
        made = booter.Booter(ec2, self.settings)
        self.addCleanup(made.end_all)
        return made

    def test_machine_that_cannot_be_started_leaves_none_of_the_others(self):
        self.java("exec sleep 600\n")
        ec2 = Ec2("i-1", "i-2")
        booted = self.booter(ec2)
        started = []

        def start(self, *arguments):
            started.append(self)
            if self.id == "i-2":
                raise OSError(28, "No space left on device")
            return real(self, *arguments)

        real = booter.Machine.start
        self.addCleanup(setattr, booter.Machine, "start", real)
        booter.Machine.start = start

        with self.assertRaises(OSError):
            booted.run()

        self.assertEqual([machine.id for machine in started], ["i-1", "i-2"])
        self.assertIsNotNone(started[0].process.poll(), "the first worker is alive")
        for machine in started:
            with self.assertRaises(urllib.error.URLError):
                urllib.request.urlopen(machine.metadata.endpoint, timeout=5)

    def test_exit_codes_after_which_the_unit_powers_off_terminate_the_instance(self):
        for code in (1, 2, 3, 10, 11):
            with self.subTest(code=code):
                self.java("exit %d\n" % code)
                ec2 = Ec2("i-%d" % code)
                booted = self.booter(ec2)
                while not booted.over:
                    booted.look(USER_DATA, [])
                self.assertEqual(ec2.terminated, list(ec2.states))

    def test_other_ends_of_a_worker_start_another_one_as_the_unit_does(self):
        self.addCleanup(setattr, booter, "RESTART_DELAY", booter.RESTART_DELAY)
        booter.RESTART_DELAY = 0
        for number, end in enumerate(("exit 0", "exit 143", "kill -9 $$")):
            with self.subTest(end=end):
                self.java("[ ! -e ended ] || exec sleep 600\ntouch ended\n%s\n" % end)
                ec2 = Ec2("i-%d" % number)
                booted = self.booter(ec2)
                booted.look(USER_DATA, [])
                machine = booted.machines["i-%d" % number]
                first = machine.process
                while machine.process is first:
                    booted.look(USER_DATA, [])
                self.assertIsNone(machine.process.poll())
                self.assertEqual((booted.over, ec2.terminated), (set(), []))
                booted.end_all()

    def test_worker_that_waits_for_its_restart_is_over_if_its_instance_ends(self):
        self.java("exit 0\n")
        ec2 = Ec2("i-1")
        booted = self.booter(ec2)
        booted.look(USER_DATA, [])
        while booted.machines["i-1"].restart_at is None:
            booted.look(USER_DATA, [])
        ec2.states["i-1"] = "terminated"
        booted.look(USER_DATA, [])

        self.assertEqual(booted.over, {"i-1"})
        self.assertEqual(booted.machines, {})

    def test_end_of_an_instance_that_ec2_did_not_answer_is_tried_again(self):
        self.java("exit 3\n")
        ec2 = Ec2("i-1")
        booted = self.booter(ec2)
        terminate = ec2.terminate_instances
        ec2.terminate_instances = self.no_answer
        while not booted.over:
            try:
                booted.look(USER_DATA, [])
            except booter.botocore.exceptions.EndpointConnectionError:
                pass
        self.assertEqual(ec2.terminated, [])

        ec2.terminate_instances = terminate
        booted.look(USER_DATA, [])
        booted.look(USER_DATA, [])

        self.assertEqual(ec2.terminated, ["i-1"])

    @staticmethod
    def no_answer(**unused):
        raise booter.botocore.exceptions.EndpointConnectionError(endpoint_url="http://127.0.0.1:1")

    def test_worker_that_ends_its_instance_while_the_records_are_read_leaves_nothing_to_the_unit(self):
        goes = self.folder / "goes"
        self.java("until [ -e '%s' ]; do sleep 0.01; done\nexit 3\n" % goes)
        ec2 = Ec2("i-1")
        booted = self.booter(ec2)
        booted.look(USER_DATA, [])
        process = booted.machines["i-1"].process
        read = ec2.paginate

        def paginate(**unused):
            yield from list(read())
            ec2.states["i-1"] = "terminated"
            goes.touch()
            process.wait()

        ec2.paginate = paginate
        booted.look(USER_DATA, [])
        del ec2.paginate
        booted.look(USER_DATA, [])

        self.assertEqual(booted.over, {"i-1"})
        self.assertEqual(ec2.terminated, [])

    def test_arguments_of_the_worker_are_what_install_sh_makes_of_the_user_data(self):
        for told, made in [
                ("--rmi-port '7099' --options ''", ["--rmi-port", "7099"]),
                ("--rmi-port '7099' --options '-t 2'", ["--rmi-port", "7099", "-t", "2"]),
                ("--rmi-port '7099' --options '--roles mtc'", ["--roles", "mtc"]),
                ("--rmi-port '7099' --options '--roles=MTC -t 2'", ["--roles=MTC", "-t", "2"]),
                ("--rmi-port '7099' --options '--rmi-port 7100'", ["--rmi-port", "7100"]),
                ("--options '-t 2'", ["-t", "2"])]:
            with self.subTest(told=told):
                self.assertEqual(booter.worker_arguments("install.sh --queue 'q' " + told), ["-s", "q", *made])


if __name__ == "__main__":
    unittest.main()
