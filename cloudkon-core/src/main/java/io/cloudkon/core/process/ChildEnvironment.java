package io.cloudkon.core.process;

import io.cloudkon.core.config.LayeredDefaults;
import java.util.Map;

/**
 * The environment of programs that the demo and the benchmarks start: that of this process without
 * what would point them at a real AWS or change an option's default.
 */
public final class ChildEnvironment {
  private static final String AWS = "AWS_";

  private ChildEnvironment() {}

  /**
   * Removes every variable that begins with {@code AWS_} or {@code CLOUDKON_OPT_}, then adds these
   * variables. The credentials service of EC2 is switched off.
   *
   * @param environment the environment of a process that is about to start, which is changed
   * @param added the variables that it needs, such as those of an emulator
   */
  public static void isolate(Map<String, String> environment, Map<String, String> added) {
    environment
        .keySet()
        .removeIf(key -> key.startsWith(AWS) || key.startsWith(LayeredDefaults.PREFIX));
    environment.put("AWS_EC2_METADATA_DISABLED", "true");
    environment.putAll(added);
  }
}
