package io.cloudkon.core.aws.ec2;

import java.util.List;

/**
 * The request of a launch to EC2. Immutable, because EC2 refuses the same token with any other
 * change.
 *
 * @param token the token that ensures that it happens only once; at most 64 ASCII characters
 * @param count the number of instances
 * @param cluster the cluster for the tag
 * @param template the launch template's id
 * @param version its version, a number
 * @param purchase the purchase option
 * @param pools the pools in order of preference
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
