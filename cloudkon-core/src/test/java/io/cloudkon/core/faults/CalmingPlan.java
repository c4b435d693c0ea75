package io.cloudkon.core.faults;

import io.cloudkon.core.memory.faults.Fate;
import io.cloudkon.core.memory.faults.FaultPlan;
import io.cloudkon.core.memory.faults.Operation;

/** A plan that ends. */
final class CalmingPlan implements FaultPlan {
  private final FaultPlan plan;
  private boolean calm;

  CalmingPlan(FaultPlan plan) {
    this.plan = plan;
  }

  void calm() {
    calm = true;
  }

  @Override
  public Fate fate(Operation operation) {
    return calm ? Fate.CARRIED_OUT : plan.fate(operation);
  }

  @Override
  public int lateness(Operation operation) {
    return plan.lateness(operation);
  }

  @Override
  public int shift(Operation operation) {
    return plan.shift(operation);
  }

  @Override
  public void after(Operation operation) {
    plan.after(operation);
  }
}
