#!/usr/bin/env python3
"""Deploys infra/cloudkon.yaml to an emulator, by the command in infra/README.md, and compares what it made, attribute
by attribute, with what `cloudkon setup` makes in another region of the same emulator.

The emulator (moto) drops some of what a template says: the tables' time to live, and the bucket's configuration. Those
are compared from the template's text, and the test fails once an emulator keeps them. So it does with UNKNOWN, the types
that it leaves out.

Usage: deploy_test.py CLOUDKON...   the command that runs cloudkon; in an environment with infra/test/requirements.txt
"""

import re
import subprocess
import sys

from botocore.exceptions import ClientError
from cfnlint.decode import cfn_yaml

import user_data_test
from emulator import CLUSTER, HOME, STACK, TEMPLATE, Emulator, deploy
from emulator import REGION as STACK_REGION

ACCOUNT = "123456789012"  # the emulator's
SETUP_REGION = "eu-west-1"
QUEUES = ["", "-hpc", "-ranks", "-dead"]
TABLES = ["claims", "runs", "workers", "ledger", "decisions"]
TEMPLATE_LIMIT = 51_200  # bytes that CloudFormation takes without a bucket

# Types that the emulator leaves out in silence; cfn-lint checks their properties.
UNKNOWN = {"AWS::CloudWatch::Alarm", "AWS::Logs::MetricFilter", "AWS::S3::BucketPolicy"}
# Conditions that do not hold for the command in infra/README.md.
LEFT_OUT = {"MakesEndpoints", "OpensRmiPort"}
# What a stack adds on purpose.
TAGS = {"cloudkon:cluster": CLUSTER, "cloudkon:stack": STACK}

failures = []


def expect(what, actual, expected):
    if isinstance(actual, dict) and isinstance(expected, dict) and actual and expected:
        for key in sorted(actual.keys() | expected.keys()):
            expect(f"{what}, {key}", actual.get(key), expected.get(key))
    elif actual != expected:
        failures.append(f"{what}: {actual!r}, expected {expected!r}")


def every_resource_was_made(emulator, template):
    cloudformation = emulator.client("cloudformation", STACK_REGION)
    stack = cloudformation.describe_stacks(StackName=STACK)["Stacks"][0]
    expect("state of the stack", stack["StackStatus"], "CREATE_COMPLETE")
    made = {
        resource["LogicalResourceId"]: resource["ResourceType"]
        for resource in cloudformation.describe_stack_resources(StackName=STACK)["StackResources"]
        if "LogicalResourceId" in resource}
    wanted = {
        name: resource["Type"] for name, resource in template["Resources"].items()
        if resource.get("Condition") not in LEFT_OUT and resource["Type"] not in UNKNOWN}
    expect("resources that were made", made, wanted)
    used = {resource["Type"] for resource in template["Resources"].values()}
    expect("types that the emulator does not know and the template uses", UNKNOWN & used, UNKNOWN)


def queue(emulator, region, name):
    sqs = emulator.client("sqs", region)
    url = sqs.get_queue_url(QueueName=name)["QueueUrl"]
    attributes = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])["Attributes"]
    expect(f"region in the ARN of queue {name}", attributes.pop("QueueArn").split(":")[3], region)
    for when in ("CreatedTimestamp", "LastModifiedTimestamp"):
        attributes.pop(when)
    return attributes, sqs.list_queue_tags(QueueUrl=url).get("Tags", {})


def table(emulator, region, name):
    dynamo = emulator.client("dynamodb", region)
    described = dynamo.describe_table(TableName=name)["Table"]
    expect(f"region in the ARN of table {name}", described["TableArn"].split(":")[3], region)
    tags = {tag["Key"]: tag["Value"] for tag in dynamo.list_tags_of_resource(ResourceArn=described["TableArn"])["Tags"]}
    for own in ("CreationDateTime", "TableArn", "TableId"):
        described.pop(own, None)
    for index in described.get("GlobalSecondaryIndexes", []):
        index.pop("IndexArn", None)
    ttl = dynamo.describe_time_to_live(TableName=name)["TimeToLiveDescription"]
    return described, tags, ttl


def bucket(emulator, region):
    s3, name = emulator.client("s3", region), f"cloudkon-{ACCOUNT}-{region}"
    return {
        "ownership": configuration(lambda: s3.get_bucket_ownership_controls(Bucket=name)["OwnershipControls"]),
        "public": configuration(
            lambda: s3.get_public_access_block(Bucket=name)["PublicAccessBlockConfiguration"]),
        "lifecycle": configuration(lambda: s3.get_bucket_lifecycle_configuration(Bucket=name)["Rules"]),
        "encryption": configuration(lambda: s3.get_bucket_encryption(Bucket=name)),
        "versioning": s3.get_bucket_versioning(Bucket=name).get("Status"),
    }


def configuration(read):
    try:
        return read()
    except ClientError as e:
        if e.response["ResponseMetadata"]["HTTPStatusCode"] != 404:
            raise
        return None


def bucket_in_text(template):
    """The bucket's properties as S3's API would show them."""
    properties = template["Resources"]["Bucket"]["Properties"]
    rules = []
    for rule in properties["LifecycleConfiguration"]["Rules"]:
        rule = dict(rule)
        rules.append({
            "ID": rule.pop("Id"), "Filter": {"Prefix": rule.pop("Prefix")},
            "Expiration": {"Days": rule.pop("ExpirationInDays")}, **rule})
    return {
        "ownership": properties["OwnershipControls"], "public": properties["PublicAccessBlockConfiguration"],
        "lifecycle": rules, "encryption": properties.get("BucketEncryption"),
        "versioning": properties.get("VersioningConfiguration", {}).get("Status"),
    }


def compare(emulator, template):
    for suffix in QUEUES:
        name = CLUSTER + suffix
        (stack, tags), (made, no_tags) = (queue(emulator, r, name) for r in (STACK_REGION, SETUP_REGION))
        expect(f"attributes of queue {name}", stack, made)
        expect(f"tags of queue {name}", tags, TAGS)
        expect(f"tags of queue {name} by setup", no_tags, {})
    for kind in TABLES:
        name = f"{CLUSTER}-{kind}"
        (stack, tags, dropped), (made, no_tags, ttl) = (table(emulator, r, name) for r in (STACK_REGION, SETUP_REGION))
        # the template's own default; setup makes tables that its teardown can delete
        expect(f"protection of table {name}", stack.pop("DeletionProtectionEnabled"), True)
        expect(f"protection of table {name} by setup", made.pop("DeletionProtectionEnabled"), False)
        expect(f"table {name}", stack, made)
        expect(f"tags of table {name}", tags, TAGS)
        expect(f"tags of table {name} by setup", no_tags, {})
        expect(f"time to live of table {name} in the emulator (it kept it: compare it)", dropped,
               {"TimeToLiveStatus": "DISABLED"})
        in_text = template["Resources"][kind.capitalize() + "Table"]["Properties"]["TimeToLiveSpecification"]
        expect(f"time to live of table {name}", {
            "TimeToLiveStatus": "ENABLED" if in_text["Enabled"] else "DISABLED",
            "AttributeName": in_text["AttributeName"]}, ttl)
    expect("bucket in the emulator (it kept something: compare it)",
           [key for key, value in bucket(emulator, STACK_REGION).items() if value], [])
    expect("bucket", bucket_in_text(template), bucket(emulator, SETUP_REGION))


def stateful_resources_are_retained(template):
    for name, resource in template["Resources"].items():
        if resource["Type"] in ("AWS::SQS::Queue", "AWS::DynamoDB::Table", "AWS::S3::Bucket", "AWS::S3::BucketPolicy"):
            expect(f"DeletionPolicy of {name}", resource.get("DeletionPolicy"), "RetainExceptOnCreate")
            expect(f"UpdateReplacePolicy of {name}", resource.get("UpdateReplacePolicy"), "Retain")


def cloudformation_takes_the_text():
    text = TEMPLATE.read_text()
    if len(text.encode()) > TEMPLATE_LIMIT:
        failures.append(f"{TEMPLATE.name}: {len(text.encode())} bytes, expected {TEMPLATE_LIMIT} at most")
    # cfn-lint lets them pass
    aliases = re.findall(r"^\s*<<:|[:-] [&*]\w+\s*$", text, re.M)
    expect("YAML aliases and merges, which CloudFormation refuses", aliases, [])


def launched_by_the_template(emulator):
    ec2 = emulator.client("ec2", STACK_REGION)
    data = ec2.describe_launch_template_versions(
        LaunchTemplateName=f"cloudkon-{CLUSTER}")["LaunchTemplateVersions"][0]["LaunchTemplateData"]
    expect("metadata options", data["MetadataOptions"], {
        "HttpEndpoint": "enabled", "HttpTokens": "required", "HttpPutResponseHopLimit": 1,
        "InstanceMetadataTags": "enabled"})
    expect("shutdown", data["InstanceInitiatedShutdownBehavior"], "terminate")
    expect("tagged resources", [tags["ResourceType"] for tags in data["TagSpecifications"]], ["instance", "volume"])
    for tags in data["TagSpecifications"]:
        if {"Key": "cloudkon:cluster", "Value": CLUSTER} not in tags["Tags"]:
            failures.append(f"tags of a launched {tags['ResourceType']}: no cloudkon:cluster")
    group = ec2.describe_security_groups(GroupIds=data["SecurityGroupIds"])["SecurityGroups"][0]
    expect("open ports", [
        (rule["FromPort"], rule["ToPort"], rule["IpProtocol"], [pair["GroupId"] for pair in rule["UserIdGroupPairs"]],
         rule["IpRanges"], rule["Ipv6Ranges"]) for rule in group["IpPermissions"]],
        [(7099, 7099, "tcp", [group["GroupId"]], [], [])])


def snapshot(emulator):
    return {
        "queues": [queue(emulator, STACK_REGION, CLUSTER + suffix) for suffix in QUEUES],
        # the emulator has dropped the time to live: setup puts it right
        "tables": [table(emulator, STACK_REGION, f"{CLUSTER}-{kind}")[:2] for kind in TABLES]}


def remains_go(emulator, run):
    """Back to an empty account: unprotected, the stack deleted, its remains removed."""
    dynamo = emulator.client("dynamodb", STACK_REGION)
    protected = run(STACK_REGION, "teardown", "-s", CLUSTER, "--yes", "--stack", STACK)
    expect("teardown of protected tables", protected.returncode, 3)
    for kind in TABLES:
        dynamo.update_table(TableName=f"{CLUSTER}-{kind}", DeletionProtectionEnabled=False)
    gone = run(STACK_REGION, "teardown", "-s", CLUSTER, "--yes", "--stack", STACK)
    expect("teardown of the stack's remains", (gone.returncode, gone.stderr), (0, ""))
    expect("tables that are left", dynamo.list_tables()["TableNames"], [])
    queues = emulator.client("sqs", STACK_REGION).list_queues().get("QueueUrls", [])
    expect("queues that are left", queues, [])


def main(cloudkon):
    template = cfn_yaml.load(str(TEMPLATE))
    cloudformation_takes_the_text()
    stateful_resources_are_retained(template)
    with Emulator() as emulator:
        def run(region, *arguments):
            return subprocess.run(
                [*cloudkon, *arguments], cwd=HOME, env=emulator.environment(region), capture_output=True, text=True)

        deploy(emulator)
        every_resource_was_made(emulator, template)
        launched_by_the_template(emulator)
        user_data_test.check(emulator, expect)
        setup = run(SETUP_REGION, "setup", "-s", CLUSTER)
        expect("setup", (setup.returncode, setup.stderr), (0, ""))
        compare(emulator, template)

        before = snapshot(emulator)
        again = run(STACK_REGION, "setup", "-s", CLUSTER)
        expect("setup on what the stack made", (again.returncode, again.stderr), (0, ""))
        expect("what setup says of the stack", f"(it belongs to stack {STACK})" in again.stdout, True)
        expect("what setup changed", snapshot(emulator), before)
        teardown = run(STACK_REGION, "teardown", "-s", CLUSTER, "--yes")
        expect("exit code of teardown", teardown.returncode, 3)
        expect("what teardown says", f"cluster '{CLUSTER}' belongs to stack '{STACK}'" in teardown.stderr, True)
        expect("what teardown changed", snapshot(emulator), before)
        remains_go(emulator, run)
    for failure in failures:
        print(f"FAILED {failure}")
    print(f"{TEMPLATE.name}: {len(template['Resources'])} resources, {len(failures)} differences")
    return 1 if failures else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
