package io.cloudkon.core.price;

import io.cloudkon.core.error.UsageException;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The types of machines whose price is known: EC2 instances with their list price, and {@link
 * #PROCESS}. Immutable.
 *
 * @param asOf the date of the prices
 * @param region the region of the prices
 * @param types the types by name
 */
public record InstanceTypes(String asOf, String region, Map<String, InstanceType> types) {
  /** The type of a worker that is a process on an existing machine, which is free of charge. */
  public static final String PROCESS = "process";

  private static final String PREFIX = "instance.";

  public InstanceTypes {
    types = new TreeMap<>(types);
  }

  /** The list of this version. */
  public static InstanceTypes list() {
    PriceFile file = new PriceFile();
    Map<String, InstanceType> types = new TreeMap<>();
    for (String key : file.keys()) {
      if (key.startsWith(PREFIX)) {
        String name = key.substring(PREFIX.length());
        String[] words = file.text(key).split(" ", 2);
        types.put(
            name, new InstanceType(name, Double.parseDouble(words[0]), Integer.parseInt(words[1])));
      }
    }
    return new InstanceTypes(file.text("as-of"), file.text("region"), types);
  }

  /** The on-demand price of a machine in USD an hour; empty if its type is not known. */
  public OptionalDouble usdPerHour(String type) {
    InstanceType known = types.get(type);
    if (known != null) {
      return OptionalDouble.of(known.usdPerHour());
    }
    return type.equals(PROCESS) ? OptionalDouble.of(0) : OptionalDouble.empty();
  }

  /**
   * The same list with another price for a type.
   *
   * @param typeAndPrice {@code TYPE=USD}, the format of {@code --price}: USD an hour, 0 or more
   * @throws UsageException if it has another format, or the type is not known
   */
  public InstanceTypes priced(String typeAndPrice) {
    return priced(typeAndPrice, Set.of());
  }

  /**
   * The same list with another price, which may also be that of a type that is not in the list.
   *
   * @param others names of such types
   */
  public InstanceTypes priced(String typeAndPrice, Set<String> others) {
    int sign = typeAndPrice.indexOf('=');
    String type = typeOf(typeAndPrice);
    double usd = number(typeAndPrice.substring(sign + 1).strip());
    if (sign < 0 || !(usd >= 0) || Double.isInfinite(usd)) {
      throw new UsageException(
          "--price %s: expected TYPE=USD, such as c7i.large=0.08 for 8 cents an hour"
              .formatted(typeAndPrice));
    }
    InstanceType known = types.get(type);
    if (known == null && !type.equals(PROCESS) && !others.contains(type)) {
      TreeSet<String> names = new TreeSet<>(types.keySet());
      names.add(PROCESS);
      names.addAll(others);
      throw new UsageException(
          "--price %s: type '%s' is not known; expected %s"
              .formatted(typeAndPrice, type, String.join(", ", names)));
    }
    Map<String, InstanceType> mended = new TreeMap<>(types);
    mended.put(type, new InstanceType(type, usd, known == null ? 1 : known.slots()));
    return new InstanceTypes(asOf, region, mended);
  }

  /** The type in {@code TYPE=USD}, the format of {@code --price}. */
  public static String typeOf(String typeAndPrice) {
    return typeAndPrice.split("=", 2)[0].strip();
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /**
   * The type that a user requests.
   *
   * @param hourly the price in USD an hour; null for that of the list
   * @param slots the number of slots; null for its vCPUs
   * @throws UsageException if it is not in the list, unless both are given
   */
  public InstanceType choose(String name, @Nullable Double hourly, @Nullable Integer slots) {
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
