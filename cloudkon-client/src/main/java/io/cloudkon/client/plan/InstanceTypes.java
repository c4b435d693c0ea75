package io.cloudkon.client.plan;

import io.cloudkon.core.error.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The types whose list price is known: file {@code instances.properties} beside this class.
 * Immutable.
 *
 * @param asOf the date of the prices
 * @param region which region's
 * @param types by name
 */
record InstanceTypes(String asOf, String region, Map<String, InstanceType> types) {
  InstanceTypes {
    types = new TreeMap<>(types);
  }

  /** What this version knows. */
  static InstanceTypes list() {
    Properties file = new Properties();
    try (InputStream in = InstanceTypes.class.getResourceAsStream("instances.properties")) {
      if (in == null) {
        throw new IllegalStateException("instances.properties is missing from the jar");
      }
      file.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String asOf = String.valueOf(file.remove("as-of"));
    String region = String.valueOf(file.remove("region"));
    Map<String, InstanceType> types = new TreeMap<>();
    for (String name : file.stringPropertyNames()) {
      String[] words = file.getProperty(name).split(" ", 2);
      types.put(
          name, new InstanceType(name, Double.parseDouble(words[0]), Integer.parseInt(words[1])));
    }
    return new InstanceTypes(asOf, region, types);
  }

  /**
   * The type that a user asks for.
   *
   * @param hourly USD per hour instead of the list's; null for the list's
   * @param slots instead of its vCPUs; null for these
   * @throws UsageException if it is not on the list, and not both are given
   */
  InstanceType choose(String name, @Nullable Double hourly, @Nullable Integer slots) {
    InstanceType known = types.get(name);
    if (known == null && (hourly == null || slots == null)) {
      throw new UsageException(
          "--instance %s: its price is not known; expected %s, or any other with --hourly and --slots"
              .formatted(name, String.join(", ", types.keySet())));
    }
    return new InstanceType(
        name,
        hourly != null ? hourly : known == null ? 0 : known.usdPerHour(),
        slots != null ? slots : known == null ? 1 : known.slots());
  }
}
