package io.cloudkon.provisioner.cli;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.provisioner.launch.ProcessLauncher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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
   * USD an hour for a worker of this type.
   *
   * @param listed list prices by type, which the options may replace
   */
  double of(String type, Map<String, Double> listed) {
    return given(listed.keySet()).getOrDefault(type, listed.getOrDefault(type, 0.0));
  }

  private Map<String, Double> given(Set<String> types) {
    Set<String> known = new TreeSet<>(types);
    known.add(ProcessLauncher.NAME);
    Map<String, Double> given = new TreeMap<>();
    for (String price : prices) {
      int equals = price.indexOf('=');
      String type = price.substring(0, Math.max(0, equals));
      if (!known.contains(type)) {
        throw new UsageException(
            "--price %s: the type is not known; expected TYPE=USD with one of %s"
                .formatted(price, String.join(", ", known)));
      }
      given.put(type, usd(price, price.substring(equals + 1)));
    }
    return given;
  }

  private static double usd(String option, String text) {
    try {
      double usd = Double.parseDouble(text.strip());
      if (usd >= 0 && Double.isFinite(usd)) {
        return usd;
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw new UsageException(
        "--price %s: expected TYPE=USD with 0 USD an hour or more, such as process=0.10"
            .formatted(option));
  }
}
