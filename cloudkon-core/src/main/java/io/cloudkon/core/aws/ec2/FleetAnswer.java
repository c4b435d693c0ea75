package io.cloudkon.core.aws.ec2;

import io.cloudkon.core.port.InstanceLauncher.Failure;
import io.cloudkon.core.port.LaunchedInstance;
import java.util.List;

/**
 * EC2's answer to a {@link FleetOrder}. Immutable.
 *
 * @param instances the granted instances
 * @param refusals the reasons why there are not more
 */
public record FleetAnswer(List<LaunchedInstance> instances, List<Refusal> refusals) {
  public FleetAnswer {
    instances = List.copyOf(instances);
    refusals = List.copyOf(refusals);
  }

  /**
   * A refusal.
   *
   * @param pools the affected pools: one, or all of the order if EC2 named none
   * @param failure the reason
   */
  public record Refusal(List<Pool> pools, Failure failure) {
    public Refusal {
      pools = List.copyOf(pools);
    }
  }
}
