package io.cloudkon.provisioner.cli;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.price.InstanceTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say what workers cost, as a picocli mixin. */
final class PriceOptions {
  @Option(
      names = "--max-hourly",
      paramLabel = "USD",
      description = "Never workers that cost more an hour together.")
  @Nullable Double maxHourly;

  @Option(
      names = "--price",
      paramLabel = "TYPE=USD",
      description = "What an hour of a worker of this type costs (repeatable); type process too.")
  List<String> prices = new ArrayList<>();

  /** USD an hour; infinite if there is no limit. */
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
   * Checks that a limit limits something, and leaves room for one worker.
   *
   * @param usd what one costs an hour; 0 if that is not known
   * @throws UsageException if it does not
   */
  void checkAllowsOne(String type, double usd) {
    if (maxHourly == null) {
      return;
    }
    double most = limit();
    if (usd == 0) {
      throw new UsageException(
          "--max-hourly %s limits nothing without the price of a worker; expected --price %s=USD as well"
              .formatted(maxHourly, type));
    }
    if (usd > most) {
      throw new UsageException(
          "--max-hourly %s allows no worker, as one of type %s costs %s USD an hour; expected at least that"
              .formatted(maxHourly, type, usd));
    }
  }

  /**
   * USD an hour for a worker of this type: by the options, else by the list.
   *
   * @throws UsageException if an option names a type whose price is not known
   */
  double of(String type) {
    return list(Set.of()).usdPerHour(type).orElse(0);
  }

  /**
   * All prices: by the options, else by the list.
   *
   * @param others types whose price may be given although the list does not know them
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
