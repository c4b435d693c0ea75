package io.cloudkon.core.testing.ec2;

import java.util.LinkedHashMap;
import java.util.Map;

/** The types, subnets and launch templates that {@link FakeEc2} knows. Guarded by that one. */
final class FakeCatalogue {
  /** A template; its versions are 1 to {@code latest}. */
  record Template(String id, String name, int latest, int standard, String type, String data) {}

  private final Map<String, Integer> types = new LinkedHashMap<>();

  private record Subnet(int freeAddresses, String zone) {}

  private final Map<String, Subnet> subnets = new LinkedHashMap<>();
  private final Map<String, Template> templates = new LinkedHashMap<>();

  void type(String name, int vcpus) {
    types.put(name, vcpus);
  }

  void subnet(String id, int freeAddresses, String zone) {
    subnets.put(id, new Subnet(freeAddresses, zone));
  }

  /** The zone of a subnet; its name if there is no such subnet. */
  String zone(String subnet) {
    Subnet known = subnets.get(subnet);
    return known == null ? subnet : known.zone();
  }

  void template(Template template) {
    templates.put(template.id(), template);
  }

  boolean hasType(String name) {
    return types.containsKey(name);
  }

  boolean hasTemplate(String id, String version) {
    return templates.containsKey(id) && Integer.parseInt(version) <= templates.get(id).latest();
  }

  Ec2Answer describeTypes(Ec2Query query) {
    Xml out = new Xml();
    for (String type : query.texts("InstanceType")) {
      if (!types.containsKey(type)) {
        return Ec2Answer.refused(
            400,
            "InvalidInstanceType",
            "The following supplied instance types do not exist: [%s]".formatted(type));
      }
    }
    out.in(
        "instanceTypeSet",
        () ->
            query
                .texts("InstanceType")
                .forEach(type ->
                    out.in(
                        "item",
                        () ->
                            out.put("instanceType", type)
                                .in("vCpuInfo", () -> out.put("defaultVCpus", types.get(type))))));
    return Ec2Answer.ok("DescribeInstanceTypes", out);
  }

  Ec2Answer describeSubnets(Ec2Query query) {
    Xml out = new Xml();
    for (String subnet : query.texts("SubnetId")) {
      if (!subnets.containsKey(subnet)) {
        return Ec2Answer.refused(
            400, "InvalidSubnetID.NotFound", "The subnet ID '%s' does not exist".formatted(subnet));
      }
    }
    out.in(
        "subnetSet",
        () ->
            query
                .texts("SubnetId")
                .forEach(subnet ->
                    out.in(
                        "item",
                        () ->
                            out.put("subnetId", subnet)
                                .put("availabilityZone", zone(subnet))
                                .put(
                                    "availableIpAddressCount",
                                    subnets.get(subnet).freeAddresses()))));
    return Ec2Answer.ok("DescribeSubnets", out);
  }

  Ec2Answer describeTemplates(Ec2Query query) {
    String id = query.text("LaunchTemplateId");
    String name = query.text("LaunchTemplateName");
    Template found =
        templates.values().stream()
            .filter(one -> one.id().equals(id) || one.name().equals(name))
            .findFirst()
            .orElse(null);
    if (found == null) {
      return id.isEmpty()
          ? Ec2Answer.refused(
              400,
              "InvalidLaunchTemplateName.NotFoundException",
              "The specified launch template, with template name %s, does not exist."
                  .formatted(name))
          : Ec2Answer.refused(
              400,
              "InvalidLaunchTemplateId.NotFound",
              "The specified launch template, with template ID %s, does not exist.".formatted(id));
    }
    String asked = query.texts("LaunchTemplateVersion").getFirst();
    int version =
        switch (asked) {
          case "$Latest" -> found.latest();
          case "$Default" -> found.standard();
          default -> Integer.parseInt(asked);
        };
    if (version < 1 || version > found.latest()) {
      return Ec2Answer.refused(
          400, "InvalidLaunchTemplateId.VersionNotFound", "Could not find version " + asked);
    }
    Xml out = new Xml();
    out.in(
        "launchTemplateVersionSet",
        () ->
            out.in(
                "item",
                () ->
                    out.put("launchTemplateId", found.id())
                        .put("launchTemplateName", found.name())
                        .put("versionNumber", version)
                        .in("launchTemplateData", () -> data(out, found))));
    return Ec2Answer.ok("DescribeLaunchTemplateVersions", out);
  }

  private static void data(Xml out, Template template) {
    if (!template.type().isEmpty()) {
      out.put("instanceType", template.type());
    }
    if (template.data().contains("terminate")) {
      out.put("instanceInitiatedShutdownBehavior", "terminate");
    }
    if (template.data().contains("metadata-tags")) {
      out.in("metadataOptions", () -> out.put("instanceMetadataTags", "enabled"));
    }
    if (template.data().contains("spot-tags")) {
      out.in(
          "tagSpecificationSet",
          () -> out.in("item", () -> out.put("resourceType", "spot-instances-request")));
    }
  }
}
