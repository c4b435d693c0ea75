package io.cloudkon.core.aws.ec2;

/** The names by which launches on EC2 are identified in a cluster's table of decisions. */
public final class Ec2Launches {
  /** The launcher's name. */
  public static final String LAUNCHER = "ec2";

  /** The key that only the requests of its decisions have: the launch template's id. */
  public static final String TEMPLATE = "launch-template";

  private Ec2Launches() {}
}
