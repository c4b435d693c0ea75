package io.cloudkon.core.port;

import java.util.Map;

/**
 * The name and tags of a run, for people. It means nothing to CloudKon. Immutable.
 *
 * @param name empty if it has none; need not be unique
 * @param tags by key
 */
public record RunLabel(String name, Map<String, String> tags) {
  /** Neither name nor tags. */
  public static final RunLabel NONE = new RunLabel("", Map.of());

  public RunLabel {
    tags = Map.copyOf(tags);
  }
}
