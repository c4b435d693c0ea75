package io.cloudkon.core.aws.ec2;

/** The ways to pay for instances. */
public enum Purchase {
  /** Spare capacity: cheaper, and taken back with two minutes' notice. */
  SPOT,
  ON_DEMAND
}
