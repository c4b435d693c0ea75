package io.cloudkon.client.api;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A session's settings as command-line options, which a rerun of its tasks uses again. */
final class KeptSettings {
  private KeptSettings() {}

  /** The values of each option by its name; paths are absolute. */
  static Map<String, List<String>> of(SessionConfig config) {
    Map<String, List<String>> options = new LinkedHashMap<>();
    options.put("--consistency", List.of(config.consistency().label()));
    options.put("--capture", List.of(Integer.toString(config.capture())));
    options.put("--timeout", List.of(config.timeout().toMillis() + "ms"));
    options.put("--retries", List.of(Integer.toString(config.retries())));
    if (config.isLocal()) {
      options.put("-t", List.of(Integer.toString(config.slots())));
    }
    config
        .handlers()
        .ifPresent(jars -> options.put("--handlers", List.of(jars.toAbsolutePath().toString())));
    String bucket = config.bucket();
    if (bucket != null) {
      options.put("--bucket", List.of(bucket));
    }
    if (!config.insecureEndpoints().isEmpty()) {
      options.put("--insecure-endpoint", config.insecureEndpoints().stream().sorted().toList());
    }
    if (!config.name().isEmpty()) {
      options.put("--name", List.of(config.name()));
    }
    return options;
  }
}
