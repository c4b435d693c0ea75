package io.cloudkon.provisioner.launch.ec2;

import java.util.List;

/**
 * A launch as a user asks for it, before EC2 was asked about it. Immutable.
 *
 * @param cluster the name of its request queue
 * @param template the launch template's id or name
 * @param version its version: a number, {@code $Default} or {@code $Latest}
 * @param types instance types; empty for the template's
 * @param subnets their ids; empty for the template's, or the account's default
 * @param purchase how instances are paid for
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
    subnets = List.copyOf(subnets);
  }
}
