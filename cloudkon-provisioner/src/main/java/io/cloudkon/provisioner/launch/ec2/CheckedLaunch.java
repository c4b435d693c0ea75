package io.cloudkon.provisioner.launch.ec2;

import io.cloudkon.core.aws.ec2.LaunchTemplate;
import io.cloudkon.core.aws.ec2.Pool;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.ToDoubleFunction;

/**
 * A launch that EC2 had nothing against. Immutable.
 *
 * @param wanted what was asked for
 * @param template the version of the template that was looked at
 * @param types instance types, one or more, as they were named
 * @param vcpus by type; a type of which nobody told is left out
 */
public record CheckedLaunch(
    WantedLaunch wanted, LaunchTemplate template, List<String> types, Map<String, Integer> vcpus) {
  public CheckedLaunch {
    types = List.copyOf(types);
    vcpus = Map.copyOf(vcpus);
  }

  /** The fewest vCPUs of any of the types; empty if one of them is not known. */
  public OptionalInt fewestVcpus() {
    return vcpus.keySet().containsAll(types)
        ? types.stream().mapToInt(vcpus::get).min()
        : OptionalInt.empty();
  }

  /**
   * The launcher's settings: each type in each subnet, cheapest slot first.
   *
   * @param usdPerHour of a type; NaN if its price is not known: such types come last
   */
  public LaunchConfig config(ToDoubleFunction<String> usdPerHour) {
    List<String> ordered = new ArrayList<>(types);
    ordered.sort(
        Comparator.comparingDouble(
            type -> usdPerHour.applyAsDouble(type) / vcpus.getOrDefault(type, 1)));
    return new LaunchConfig(
        wanted.cluster(),
        wanted.template(),
        wanted.version(),
        pools(ordered, wanted.subnets()),
        wanted.purchase());
  }

  static List<Pool> pools(List<String> types, List<String> subnets) {
    List<String> places = subnets.isEmpty() ? List.of("") : subnets;
    return types.stream()
        .flatMap(type -> places.stream().map(subnet -> new Pool(type, subnet)))
        .toList();
  }
}
