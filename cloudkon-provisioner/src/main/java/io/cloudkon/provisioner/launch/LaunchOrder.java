package io.cloudkon.provisioner.launch;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A requested launch. Immutable.
 *
 * @param count the number of workers
 * @param atMillis the time of the request in epoch milliseconds
 * @param request the other parameters of the request
 */
record LaunchOrder(int count, long atMillis, Map<String, String> request) {

  LaunchOrder {
    request = Map.copyOf(request);
  }

  /** Whether the request has the same parameters, regardless of its time. */
  boolean asks(int number, Map<String, String> other) {
    return count == number && request.equals(other);
  }

  /** The names of its instances. */
  static List<String> instances(String token, int count) {
    return IntStream.rangeClosed(1, count).mapToObj(k -> token + "." + k).toList();
  }

  List<String> lines() {
    List<String> lines =
        new TreeMap<>(request)
            .entrySet().stream()
                .map(entry -> entry.getKey() + "=" + escaped(entry.getValue()))
                .collect(Collectors.toCollection(java.util.ArrayList::new));
    lines.addFirst(Long.toString(atMillis));
    lines.addFirst(Integer.toString(count));
    return lines;
  }

  /** Parses the lines that {@link #lines} returns; empty if they have another form. */
  static Optional<LaunchOrder> parse(List<String> lines) {
    try {
      Map<String, String> request =
          lines.stream()
              .skip(2)
              .collect(
                  Collectors.toMap(
                      line -> line.substring(0, line.indexOf('=')),
                      line -> line.substring(line.indexOf('=') + 1).translateEscapes()));
      return Optional.of(
          new LaunchOrder(Integer.parseInt(lines.get(0)), Long.parseLong(lines.get(1)), request));
    } catch (IllegalArgumentException | IndexOutOfBoundsException | IllegalStateException e) {
      return Optional.empty();
    }
  }

  private static String escaped(String value) {
    return value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
  }
}
