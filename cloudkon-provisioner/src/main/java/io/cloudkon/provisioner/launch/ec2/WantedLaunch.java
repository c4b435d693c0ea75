package io.cloudkon.provisioner.launch.ec2;

import java.util.List;

/**
 * A launch as the user requests it, before it is checked with EC2. Immutable.
 *
 * @param cluster the name of its request queue
 * @param template the launch template's id or name
 * @param version its version: a number, {@code $Default} or {@code $Latest}
 * @param types the instance types; empty for the template's
 * @param subnets the ids of the subnets, each once; empty for the template's, or the account's
 *     default
 * @param purchase the purchase plan
 */
public record WantedLaunch(
    String cluster,
    String template,
    String version,
    List<String> types,
    List<String> subnets,
    PurchasePlan purchase) {
  public WantedLaunch {
    types = List.copyOf(types);
    subnets = subnets.stream().distinct().toList();
  }
}
