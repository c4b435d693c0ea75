package io.cloudkon.core.aws.ec2;

/**
 * The tags by which instances are known as a cluster's. They are given at launch; nothing is ever
 * matched by address.
 */
public final class ClusterTags {
  /** The cluster: the name of its request queue. */
  public static final String CLUSTER = "cloudkon:cluster";

  /** The token of the launch; the worker reads it from its instance's metadata. */
  public static final String LAUNCH = "cloudkon:launch";

  private ClusterTags() {}
}
