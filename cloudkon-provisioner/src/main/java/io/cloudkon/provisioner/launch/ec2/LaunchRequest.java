package io.cloudkon.provisioner.launch.ec2;

import io.cloudkon.core.aws.ec2.Ec2Launches;
import io.cloudkon.core.aws.ec2.FleetOrder;
import io.cloudkon.core.aws.ec2.Pool;
import io.cloudkon.core.aws.ec2.Purchase;
import io.cloudkon.core.config.Labels;
import io.cloudkon.core.error.UsageException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A launch in the text form in which a decision stores it: all parameters of the call except token
 * and count. Immutable.
 *
 * @param cluster the cluster's name
 * @param template the launch template's id
 * @param version the number of its version, because "latest" may mean another version when the call
 *     is repeated
 * @param purchase the purchase option
 * @param pools the pools for instances, in order
 */
record LaunchRequest(
    String cluster, String template, String version, Purchase purchase, List<Pool> pools) {
  private static final String CLUSTER = "cluster";
  private static final String TEMPLATE = Ec2Launches.TEMPLATE;
  private static final String VERSION = "version";
  private static final String PURCHASE = "purchase";
  private static final String POOLS = "pools";
  private static final Set<String> KEYS = Set.of(CLUSTER, TEMPLATE, VERSION, PURCHASE, POOLS);

  Map<String, String> text() {
    return Map.of(
        CLUSTER, cluster,
        TEMPLATE, template,
        VERSION, version,
        PURCHASE, Labels.of(purchase),
        POOLS, pools.stream().map(Pool::toString).collect(Collectors.joining(" ")));
  }

  /**
   * Parses the form that {@link #text} returns; empty if another launcher or version wrote it, or
   * it was damaged: it must not end the provisioner, nor its successors.
   */
  static Optional<LaunchRequest> parse(Map<String, String> text) {
    if (!text.keySet().equals(KEYS)) {
      return Optional.empty();
    }
    Optional<List<Pool>> pools = pools(text.getOrDefault(POOLS, ""));
    return Arrays.stream(Purchase.values())
        .filter(purchase -> Labels.of(purchase).equals(text.get(PURCHASE)))
        .findFirst()
        .flatMap(purchase ->
            pools.map(found ->
                new LaunchRequest(
                    text.getOrDefault(CLUSTER, ""),
                    text.getOrDefault(TEMPLATE, ""),
                    text.getOrDefault(VERSION, ""),
                    purchase,
                    found)));
  }

  private static Optional<List<Pool>> pools(String text) {
    try {
      return Optional.of(Arrays.stream(text.split(" ", -1)).map(Pool::parse).toList());
    } catch (UsageException e) {
      return Optional.empty();
    }
  }

  FleetOrder order(String token, int count) {
    return new FleetOrder(token, count, cluster, template, version, purchase, pools);
  }
}
