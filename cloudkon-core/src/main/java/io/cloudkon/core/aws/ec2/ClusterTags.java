package io.cloudkon.core.aws.ec2;

import software.amazon.awssdk.services.ec2.model.ResourceType;
import software.amazon.awssdk.services.ec2.model.Tag;
import software.amazon.awssdk.services.ec2.model.TagSpecification;

/**
 * The tags that identify the instances of a cluster. They are set at launch; instances are never
 * identified by address.
 */
public final class ClusterTags {
  /** The cluster: the name of its request queue. */
  public static final String CLUSTER = "cloudkon:cluster";

  /** The token of the launch; the worker reads it from its instance's metadata. */
  public static final String LAUNCH = "cloudkon:launch";

  private ClusterTags() {}

  /** The tags that a launch sets on resources of one type; policies require them. */
  static TagSpecification of(ResourceType type, String cluster, String launch) {
    return TagSpecification.builder()
        .resourceType(type)
        .tags(
            Tag.builder().key(CLUSTER).value(cluster).build(),
            Tag.builder().key(LAUNCH).value(launch).build())
        .build();
  }
}
