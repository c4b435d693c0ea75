package io.cloudkon.core.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files that one task alone takes into its directory, and those it brings back. Immutable.
 *
 * @param inputs found there when it starts
 * @param collect patterns of what it brings back; null means those of its run
 */
public record TaskFiles(List<InputFile> inputs, @Nullable List<String> collect) {
  /** None, and what the run brings back. */
  public static final TaskFiles NONE = new TaskFiles(List.of(), null);

  public TaskFiles {
    inputs = List.copyOf(inputs);
    collect = collect == null ? null : List.copyOf(collect);
  }

  /** The same with other inputs. */
  public TaskFiles with(List<InputFile> others) {
    return new TaskFiles(others, collect);
  }

  /** Whether it says nothing. */
  public boolean isEmpty() {
    return inputs.isEmpty() && collect == null;
  }
}
