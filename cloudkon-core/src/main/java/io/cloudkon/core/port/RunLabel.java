package io.cloudkon.core.port;

import java.util.Map;

/**
 * The name and tags of a run, for display only. Immutable.
 *
 * @param name the name, which need not be unique; empty if it has none
 * @param tags the tags by key
 */
public record RunLabel(String name, Map<String, String> tags) {
  /** Neither name nor tags. */
  public static final RunLabel NONE = new RunLabel("", Map.of());

  public RunLabel {
    tags = Map.copyOf(tags);
  }
}
