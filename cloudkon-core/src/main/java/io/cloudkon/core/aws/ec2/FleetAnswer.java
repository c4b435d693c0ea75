package io.cloudkon.core.aws.ec2;

import io.cloudkon.core.port.InstanceLauncher.Failure;
import io.cloudkon.core.port.LaunchedInstance;
import java.util.List;

/**
 * EC2's answer to a {@link FleetOrder}. Immutable.
 *
 * @param instances what was granted
 * @param refusals why not more
 */
public record FleetAnswer(List<LaunchedInstance> instances, List<Refusal> refusals) {
  public FleetAnswer {
    instances = List.copyOf(instances);
    refusals = List.copyOf(refusals);
  }

  /**
   * One thing that was refused.
   *
   * @param pools which pools it is about: one, or all of the order's where EC2 named none
   * @param failure what it means
   */
  public record Refusal(List<Pool> pools, Failure failure) {
    public Refusal {
      pools = List.copyOf(pools);
    }
  }
}
