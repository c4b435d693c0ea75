"""moto, the emulator of CloudFormation, IAM and EC2, for the tests here."""

import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import boto3
from botocore.exceptions import EndpointConnectionError

HOME = Path(__file__).resolve().parents[2]
TEMPLATE = HOME / "infra/cloudkon.yaml"
README = HOME / "infra/README.md"
TOOLS = Path(sys.executable).parent
STACK, CLUSTER, REGION = "cloudkon-Q", "Q", "eu-central-1"


class Emulator:
    """moto in a process of its own, on a free port of loopback."""

    def __enter__(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [TOOLS / "moto_server", "-H", "127.0.0.1", "-p", str(self.port)], stdout=self.log, stderr=self.log)
        deadline = time.monotonic() + 60
        while True:
            try:
                self.client("sqs", REGION).list_queues()
                return self
            except EndpointConnectionError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    self.__exit__()
                    sys.exit("the emulator did not start")
                time.sleep(0.2)

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=20)

    @property
    def endpoint(self):
        return f"http://127.0.0.1:{self.port}"

    def environment(self, region):
        return bare_environment() | {
            "AWS_ENDPOINT_URL": self.endpoint, "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_REGION": region, "AWS_DEFAULT_REGION": region, "PATH": f"{TOOLS}:{os.environ['PATH']}"}

    def client(self, service, region):
        return boto3.client(
            service, region_name=region, endpoint_url=self.endpoint,
            aws_access_key_id="test", aws_secret_access_key="test")


def bare_environment():
    """This process's, without what points at somebody's AWS."""
    mine = {key: value for key, value in os.environ.items() if not key.startswith(("AWS_", "CLOUDKON_OPT_"))}
    return mine | {"AWS_EC2_METADATA_DISABLED": "true"}


def deploy(emulator):
    """The command of infra/README.md, as it stands there."""
    command = re.search(r"<!-- deploy -->\s+```\w*\n(.*?)```", README.read_text(), re.S).group(1)
    ec2 = emulator.client("ec2", REGION)
    vpc = ec2.describe_vpcs()["Vpcs"][0]["VpcId"]
    subnets = ",".join(subnet["SubnetId"] for subnet in ec2.describe_subnets()["Subnets"])
    values = {
        "VPC": vpc, "SUBNETS": subnets, "TYPES": "c7i.large,c6i.large", "EMAIL": "someone@example.org",
        "ARCHIVE": "s3://software/cloudkon-worker.tar.gz", "SHA256": "0" * 64}
    subprocess.run(
        ["bash", "-eu", "-c", command], cwd=HOME, check=True, stdout=subprocess.DEVNULL,
        env=emulator.environment(REGION) | values)
