"""What a call of EC2 asks IAM for: permissions, each with its resource and the values of its condition keys, as EC2's page
of the service authorization reference has them; and which of a policy's statements allow it."""

import re
from fnmatch import fnmatchcase
from typing import NamedTuple

ACCOUNT = "123456789012"  # the emulator's
LAUNCHES = ("CreateFleet", "RunInstances")


class Request(NamedTuple):
    permission: str
    resource: str
    context: dict


class Reader:
    """Works out what calls ask for; looks up templates and instances in an emulator that still knows them."""

    def __init__(self, emulator, region):
        self.ec2, self.iam, self.region = emulator.client("ec2", region), emulator.client("iam", "us-east-1"), region

    def requests(self, call):
        """A call is its form's fields, `Action` among them."""
        action = call["Action"]
        if action in LAUNCHES:
            return self.launch(call)
        if action == "TerminateInstances":
            return [Request(f"ec2:{action}", self.arn(f"instance/{instance}"), self.tags_of(instance))
                    for instance in values(call, r"InstanceId\.\d+")]
        return [Request(f"ec2:{action}", "*", {})]

    def arn(self, resource):
        account = "" if resource.startswith("image/") else ACCOUNT
        return f"arn:aws:ec2:{self.region}:{account}:{resource}"

    def tags_of(self, instance):
        found = self.ec2.describe_instances(InstanceIds=[instance])["Reservations"][0]["Instances"][0]
        return {f"aws:ResourceTag/{tag['Key']}": tag["Value"] for tag in found.get("Tags", [])}

    def launch(self, call):
        version = self.template(call)
        data, template = version["LaunchTemplateData"], self.arn(f"launch-template/{version['LaunchTemplateId']}")
        subnets = {self.arn(f"subnet/{subnet}") for subnet in values(call, r".*SubnetId")}
        groups = {self.arn(f"security-group/{group}") for group in data["SecurityGroupIds"]}
        image = data["ImageId"].removeprefix("resolve:ssm:")
        shared = {template, self.arn("network-interface/*"), self.arn("volume/*"), self.arn("image/ami-any"), *subnets, *groups}
        by_template = {"ec2:LaunchTemplate": template}
        tags = {given["ResourceType"]: {tag["Key"]: tag["Value"] for tag in given["Tags"]}
                for given in data["TagSpecifications"]}
        for kind, given in tagged(call).items():
            tags[kind] = tags.get(kind, {}) | given  # the call's win
        on_instance = {f"aws:RequestTag/{key}": value for key, value in tags["instance"].items()}
        asked = [
            Request("ec2:RunInstances", self.arn("instance/*"), by_template | on_instance | {"ec2:InstanceType": kind})
            for kind in values(call, r".*InstanceType") or [data["InstanceType"]]]
        asked += [Request("ec2:RunInstances", resource, by_template) for resource in shared]
        asked += [Request("ec2:CreateTags", self.arn(f"{kind}/*"),
                          {"ec2:CreateAction": "CreateFleet" if kind == "fleet" else "RunInstances"}) for kind in tags]
        profile = self.iam.get_instance_profile(InstanceProfileName=data["IamInstanceProfile"]["Arn"].split("/")[-1])
        asked += [Request("iam:PassRole", role["Arn"], {"iam:PassedToService": "ec2.amazonaws.com"})
                  for role in profile["InstanceProfile"]["Roles"]]
        asked.append(Request("ssm:GetParameters", f"arn:aws:ssm:{self.region}:{ACCOUNT}:parameter{image}", {}))
        if "spot" in values(call, r"(TargetCapacitySpecification\.DefaultTargetCapacityType|InstanceMarketOptions\.MarketType)"):
            # not documented of a fleet; Karpenter's policies, which buy Spot by fleets, have both
            spot = self.arn("spot-instances-request/*")
            asked += [Request(f"ec2:{action}", spot, by_template) for action in {"RunInstances", call["Action"]}]
        if call["Action"] == "CreateFleet":
            asked += [Request("ec2:CreateFleet", resource, {})
                      for resource in {self.arn("fleet/*"), self.arn("instance/*"), *shared}]
        return asked

    def template(self, call):
        named = {key.split(".")[-1]: value for key, value in call.items() if ".LaunchTemplate" in f".{key}"}
        which = {key: named[key] for key in ("LaunchTemplateId", "LaunchTemplateName") if key in named}
        return self.ec2.describe_launch_template_versions(
            **which, Versions=[named["Version"]])["LaunchTemplateVersions"][0]


def values(call, field):
    return sorted({value for key, value in call.items() if re.fullmatch(field, key)})


def tagged(call):
    """The tags that a call gives, by the type of their resource."""
    tags = {}
    for key, kind in call.items():
        if found := re.fullmatch(r"(TagSpecification\.\d+)\.ResourceType", key):
            mine = tags.setdefault(kind, {})
            for field, name in call.items():
                if tag := re.fullmatch(re.escape(found[1]) + r"\.Tag\.(\d+)\.Key", field):
                    mine[name] = call[f"{found[1]}.Tag.{tag[1]}.Value"]
    return tags


def allowing(statements, request):
    """The (statement, resource) pairs that allow a request, a resource as the policy has it."""
    return [
        (statement, resource) for statement in statements
        if request.permission in statement["Action"] and conditions_hold(statement, request.context)
        for resource in statement["Resource"] if fnmatchcase(request.resource, resource)]


def conditions_hold(statement, context):
    for operator, keys in statement.get("Condition", {}).items():
        matches = {"StringEquals": str.__eq__, "ArnLike": fnmatchcase}[operator]
        for key, allowed in keys.items():
            if not any(matches(context.get(key, ""), value) for value in listed(allowed)):
                return False
    return True


def condition_values(statement):
    """Each (key, value) that a statement's conditions ask for."""
    return {(key, value) for keys in statement.get("Condition", {}).values()
            for key, allowed in keys.items() for value in listed(allowed)}


def listed(value):
    return value if isinstance(value, list) else [value]
