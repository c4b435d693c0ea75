package io.cloudkon.examples.demo;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The lines by which {@code cloudkon local} says where it answers. */
final class EmulatorLines {
  private static final String EXPORT = "export ";

  private EmulatorLines() {}

  /** Whether it is the last of them. */
  static boolean isLast(String line) {
    return line.startsWith(EXPORT + "AWS_SECRET_ACCESS_KEY=");
  }

  /** The variables that they set. */
  static Map<String, String> environment(List<String> lines) {
    Map<String, String> variables = new LinkedHashMap<>();
    for (String line : lines) {
      if (line.startsWith(EXPORT)) {
        String[] parts = line.substring(EXPORT.length()).split("=", 2);
        variables.put(parts[0], parts[1]);
      }
    }
    return variables;
  }
}
