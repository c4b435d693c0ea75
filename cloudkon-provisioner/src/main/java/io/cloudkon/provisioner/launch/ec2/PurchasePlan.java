package io.cloudkon.provisioner.launch.ec2;

import io.cloudkon.core.aws.ec2.Purchase;
import java.util.List;

/** The order in which ways to pay for instances are tried. */
public enum PurchasePlan {
  /** Spot, and on demand while every pool refuses Spot. */
  SPOT(Purchase.SPOT, Purchase.ON_DEMAND),
  /** Spot, or none. */
  SPOT_ONLY(Purchase.SPOT),
  ON_DEMAND(Purchase.ON_DEMAND);

  private final List<Purchase> inOrder;

  PurchasePlan(Purchase... inOrder) {
    this.inOrder = List.of(inOrder);
  }

  /** The ways to pay, in the order of trying. */
  List<Purchase> inOrder() {
    return inOrder;
  }

  /** The way that is tried first. */
  public Purchase first() {
    return inOrder.getFirst();
  }
}
