"""The user data of infra/cloudkon.yaml, as the emulator works it out for several parameters: what it tells
install.sh, which ports are open, and that an installation that fails ends the instance. Part of deploy_test.py, which
calls check.
"""

import base64
import os
import subprocess
import tempfile
from pathlib import Path

from emulator import TEMPLATE

REGION = "us-west-2"
ARCHIVE = {"WorkerArchive": "s3://software/worker.tar.gz", "WorkerArchiveSha256": "0" * 64}

# Parameters; what install.sh is told of them, whose own rule for the two image_test.sh tests with the worker's check of
# its options; the ports that are open among workers.
CASES = [
    ({}, "--rmi-port 7099 --options ", [(7099, 7099)]),
    ({"RmiFromPort": "1", "RmiToPort": "65535"}, "--rmi-port 7099 --options ", [(1, 65535), (7099, 7099)]),
    ({"RmiPort": "7200", "WorkerOptions": "-t 2"}, "--rmi-port 7200 --options -t 2", [(7099, 7099), (7200, 7200)]),
    ({"BucketName": "mine"}, "--bucket mine --rmi-port 7099 --options ", [(7099, 7099)]),
    ({"WorkerOptions": "--roles mtc"}, "--rmi-port 7099 --options --roles mtc", [(7099, 7099)]),
]

# Stand for what is on an instance: each notes how it was called, and fails if it is to.
TOOL = """#!/bin/sh
echo "${0##*/} $*" >>"$CALLS"
[ "${0##*/}" != sha256sum ] || cat >/dev/null
case "${0##*/} $*" in
  *api/token*) echo token ;;
  *tags/instance/cloudkon:launch) [ -n "$LAUNCH" ] && echo "$LAUNCH" ;;
  "$FAILS"*) exit 1 ;;
  tar*) mkdir -p "$4/cloudkon" && cp "$INSTALL" "$4/cloudkon/install.sh" ;;
esac
"""
INSTALL = """#!/bin/sh
echo "install $*" >>"$CALLS"
[ "$FAILS" != install ]
"""


def deployed(emulator, number, parameters):
    """What a stack with these parameters makes: user data, and the open ports."""
    ec2 = emulator.client("ec2", REGION)
    name = f"user-data-{number}"
    given = {
        "Queue": name, "Vpc": ec2.describe_vpcs()["Vpcs"][0]["VpcId"], "CreateBucket": "false",
        "Subnets": ec2.describe_subnets()["Subnets"][0]["SubnetId"]} | ARCHIVE | parameters
    emulator.client("cloudformation", REGION).create_stack(
        StackName=name, TemplateBody=TEMPLATE.read_text(), Capabilities=["CAPABILITY_IAM"],
        Parameters=[{"ParameterKey": key, "ParameterValue": value} for key, value in given.items()])
    data = ec2.describe_launch_template_versions(
        LaunchTemplateName=f"cloudkon-{name}")["LaunchTemplateVersions"][0]["LaunchTemplateData"]
    group = ec2.describe_security_groups(GroupIds=data["SecurityGroupIds"])["SecurityGroups"][0]
    ports = sorted((rule["FromPort"], rule["ToPort"]) for rule in group["IpPermissions"])
    return base64.b64decode(data["UserData"]).decode(), ports


def boot(script, fails="", launch=""):
    """Runs user data among tools of the test's own; returns its exit code and the calls that it made."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for tool in ("aws", "curl", "tar", "sha256sum", "shutdown"):
            (folder / tool).write_text(TOOL)
            (folder / tool).chmod(0o755)
        (folder / "install").write_text(INSTALL)
        (folder / "install").chmod(0o755)
        calls = folder / "calls"
        calls.touch()
        done = subprocess.run(
            ["bash", "-c", script], cwd=folder, capture_output=True, text=True, check=False,
            env={"PATH": f"{folder}:{os.environ['PATH']}", "CALLS": str(calls), "FAILS": fails or "none",
                 "LAUNCH": launch, "INSTALL": str(folder / "install"), "TMPDIR": str(folder)})
        return done.returncode, calls.read_text().splitlines()


def check(emulator, expect):
    for number, (parameters, expected, open_ports) in enumerate(CASES):
        script, ports = deployed(emulator, number, parameters)
        code, calls = boot(script, launch="L1")
        expect(f"user data with {parameters}: exit code, and whether it powers off",
               (code, [call for call in calls if call.startswith("shutdown")]), (0, []))
        installs = [call for call in calls if call.startswith("install ")]
        expect(f"user data with {parameters}: what install.sh is told", len(installs), 1)
        expect(f"user data with {parameters}: what install.sh is told",
               f"{expected} --start" in "".join(installs), True)
        expect(f"open ports with {parameters}", ports, open_ports)
    failing_user_data(script, expect)


def failing_user_data(script, expect):
    for fails in ("aws s3 cp", "sha256sum", "tar", "install"):
        for launch, powers_off in (("L1", ["shutdown -h +2"]), ("", [])):
            code, calls = boot(script, fails, launch)
            expect(f"user data where {fails} fails, launch '{launch}': whether it fails", code != 0, True)
            expect(f"user data where {fails} fails, launch '{launch}'",
                   [call for call in calls if call.startswith("shutdown")], powers_off)
