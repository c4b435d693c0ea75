package io.cloudkon.core.aws.ec2;

/** The purchase options for instances. */
public enum Purchase {
  /** Spare capacity, which is cheaper and is reclaimed with two minutes' notice. */
  SPOT,
  ON_DEMAND
}
