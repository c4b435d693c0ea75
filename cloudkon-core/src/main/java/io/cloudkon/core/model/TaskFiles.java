package io.cloudkon.core.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The input files of a single task, and the files that it brings back. Immutable.
 *
 * @param inputs the files in its directory when it starts
 * @param collect the patterns of the files that it brings back; null means those of its run
 */
public record TaskFiles(List<InputFile> inputs, @Nullable List<String> collect) {
  /** No input files, and the run's rule for bringing back files. */
  public static final TaskFiles NONE = new TaskFiles(List.of(), null);

  public TaskFiles {
    inputs = List.copyOf(inputs);
    collect = collect == null ? null : List.copyOf(collect);
  }

  /** The same with other input files. */
  public TaskFiles with(List<InputFile> others) {
    return new TaskFiles(others, collect);
  }

  /** Whether there are no input files and no patterns. */
  public boolean isEmpty() {
    return inputs.isEmpty() && collect == null;
  }
}
