package io.cloudkon.provisioner.launch.ec2;

import io.cloudkon.core.aws.ec2.Pool;
import java.util.List;

/**
 * The EC2 launcher's settings. Immutable.
 *
 * @param cluster the name of its request queue
 * @param template the launch template's id or name
 * @param version its version: a number, {@code $Default} or {@code $Latest}
 * @param pools the pools for instances in order of preference, at least one
 * @param purchase the purchase plan; default {@link PurchasePlan#SPOT}
 */
public record LaunchConfig(
    String cluster, String template, String version, List<Pool> pools, PurchasePlan purchase) {
  public LaunchConfig {
    pools = List.copyOf(pools);
    if (pools.isEmpty()) {
      throw new IllegalArgumentException("no pool to launch in; expected one or more");
    }
  }
}
