package io.cloudkon.core.aws.ec2;

import java.util.List;

/**
 * One launch, as EC2 is asked for it. Immutable: the same token with anything else changed is
 * refused.
 *
 * @param token makes it happen once; at most 64 ASCII characters
 * @param count how many instances
 * @param cluster which cluster's they are, by tag
 * @param template the launch template's id
 * @param version its version, a number
 * @param purchase how they are paid for
 * @param pools where they may come from, the one that is liked best first
 */
public record FleetOrder(
    String token,
    int count,
    String cluster,
    String template,
    String version,
    Purchase purchase,
    List<Pool> pools) {
  public FleetOrder {
    pools = List.copyOf(pools);
  }
}
