package io.cloudkon.core.aws.ec2;

/** How instances are paid for. */
public enum Purchase {
  /** Spare capacity: cheaper, and taken back with two minutes' notice. */
  SPOT,
  ON_DEMAND
}
