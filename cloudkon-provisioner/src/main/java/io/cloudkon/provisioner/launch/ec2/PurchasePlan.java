package io.cloudkon.provisioner.launch.ec2;

import io.cloudkon.core.aws.ec2.Purchase;
import java.util.List;

/** The order in which purchase options are tried. */
public enum PurchasePlan {
  /** Spot instances, and on-demand instances while every pool refuses Spot. */
  SPOT(Purchase.SPOT, Purchase.ON_DEMAND),
  /** Spot instances only. */
  SPOT_ONLY(Purchase.SPOT),
  ON_DEMAND(Purchase.ON_DEMAND);

  private final List<Purchase> inOrder;

  PurchasePlan(Purchase... inOrder) {
    this.inOrder = List.of(inOrder);
  }

  /** The purchase options in the order in which they are tried. */
  List<Purchase> inOrder() {
    return inOrder;
  }

  /** The option that is tried first. */
  public Purchase first() {
    return inOrder.getFirst();
  }
}
