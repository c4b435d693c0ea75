package io.cloudkon.core.aws.ec2;

/** By what launches on EC2 are known in a cluster's table of decisions. */
public final class Ec2Launches {
  /** The launcher's name. */
  public static final String LAUNCHER = "ec2";

  /** A key that the requests of its decisions have, and no others: the launch template's id. */
  public static final String TEMPLATE = "launch-template";

  private Ec2Launches() {}
}
