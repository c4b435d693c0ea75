package io.cloudkon.provisioner.cli;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.price.InstanceTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A picocli mixin with the options for the cost of workers. */
final class PriceOptions {
  @Option(
      names = "--max-hourly",
      paramLabel = "USD",
      description = "Maximum total cost of the workers per hour.")
  @Nullable Double maxHourly;

  @Option(
      names = "--price",
      paramLabel = "TYPE=USD",
      description = "Hourly price of a worker of this type (repeatable); TYPE may be process.")
  List<String> prices = new ArrayList<>();

  /** The limit in USD an hour; infinite if there is none. */
  double limit() {
    if (maxHourly == null) {
      return Double.POSITIVE_INFINITY;
    }
    if (!(maxHourly > 0)) {
      throw new UsageException("--max-hourly %s: expected more than 0 USD".formatted(maxHourly));
    }
    return maxHourly;
  }

  /**
   * Checks that a limit can take effect, and that it permits at least one worker.
   *
   * @param usd the price of one worker in USD an hour; 0 if it is not known
   * @throws UsageException if it does not
   */
  void checkAllowsOne(String type, double usd) {
    if (maxHourly == null) {
      return;
    }
    double most = limit();
    if (usd == 0) {
      throw new UsageException(
          "--max-hourly %s has no effect without the price of a worker; expected --price %s=USD as well"
              .formatted(maxHourly, type));
    }
    if (usd > most) {
      throw new UsageException(
          "--max-hourly %s allows no worker, because one of type %s costs %s USD an hour; expected at least that"
              .formatted(maxHourly, type, usd));
    }
  }

  /**
   * Checks that a limit is not compared with prices of another region.
   *
   * @param region the region of the workers
   * @param types their types
   * @throws UsageException if it would be
   */
  void checkRegion(String region, List<String> types) {
    String listed = InstanceTypes.list().region();
    Set<String> given = prices.stream().map(InstanceTypes::typeOf).collect(Collectors.toSet());
    List<String> open = types.stream().filter(type -> !given.contains(type)).toList();
    if (maxHourly == null || region.equals(listed) || open.isEmpty()) {
      return;
    }
    throw new UsageException(
        "--max-hourly %s: the price list is that of %s, and this is %s; give the prices there with %s"
            .formatted(
                maxHourly,
                listed,
                region,
                open.stream().map("--price %s=USD"::formatted).collect(Collectors.joining(" "))));
  }

  /**
   * The price of a worker of this type in USD an hour, from the options or else from the price
   * list.
   *
   * @throws UsageException if an option names a type whose price is not known
   */
  double of(String type) {
    return list(Set.of()).usdPerHour(type).orElse(0);
  }

  /**
   * All prices, from the options or else from the price list.
   *
   * @param others types whose price may be given although they are not in the list
   * @throws UsageException if an option names a type that is neither
   */
  InstanceTypes list(Set<String> others) {
    InstanceTypes types = InstanceTypes.list();
    for (String price : prices) {
      types = types.priced(price, others);
    }
    return types;
  }
}
