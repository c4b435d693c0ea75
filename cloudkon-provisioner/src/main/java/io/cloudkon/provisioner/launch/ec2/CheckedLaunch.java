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
 * A launch that passed EC2's checks. Immutable.
 *
 * @param wanted the requested launch
 * @param template the version of the template that was checked
 * @param types the instance types in the given order, at least one
 * @param vcpus the number of vCPUs by type, without types for which it is not known
 */
public record CheckedLaunch(
    WantedLaunch wanted, LaunchTemplate template, List<String> types, Map<String, Integer> vcpus) {
  public CheckedLaunch {
    types = List.copyOf(types);
    vcpus = Map.copyOf(vcpus);
  }

  /** The smallest number of vCPUs of the types; empty if one of them is not known. */
  public OptionalInt fewestVcpus() {
    return vcpus.keySet().containsAll(types)
        ? types.stream().mapToInt(vcpus::get).min()
        : OptionalInt.empty();
  }

  /**
   * The launcher's settings: each type in each subnet, cheapest slot first, or in the given order
   * if the price of a type is not known: an unknown price need not be a high one.
   *
   * @param usdPerHour the price of a type in USD an hour; NaN if it is not known
   */
  public LaunchConfig config(ToDoubleFunction<String> usdPerHour) {
    List<String> ordered = new ArrayList<>(types);
    if (types.stream().noneMatch(type -> Double.isNaN(usdPerHour.applyAsDouble(type)))) {
      ordered.sort(
          Comparator.comparingDouble(
              type -> usdPerHour.applyAsDouble(type) / vcpus.getOrDefault(type, 1)));
    }
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
