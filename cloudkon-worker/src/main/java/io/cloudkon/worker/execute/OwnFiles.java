package io.cloudkon.worker.execute;

import io.cloudkon.core.model.CollectRule;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Files that only one task gets in its directory, and those it brings back from there. Immutable.
 *
 * @param inputs the files that are copied into the directory before the command starts
 * @param collect the files that are packed when it has ended
 * @param keepsNone whether the task itself says that none are to be packed, so that nobody misses
 *     those that it leaves
 */
public record OwnFiles(List<Input> inputs, CollectRule collect, boolean keepsNone) {
  /** No files: the task may start anywhere. */
  public static final OwnFiles NONE = new OwnFiles(List.of(), CollectRule.NONE, false);

  /**
   * One input file.
   *
   * @param source the file on this worker's disk, protected by {@link FileTrees#protect}
   * @param path its path, relative to the task's directory
   */
  public record Input(Path source, Path path) {}

  public OwnFiles {
    inputs = List.copyOf(inputs);
  }

  /** Whether there are no such files, so that the task needs no directory of its own. */
  boolean isEmpty() {
    return inputs.isEmpty() && collect.isEmpty();
  }

  /** Copies the files into a task's directory. */
  void placeIn(Path directory, Interruption interruption)
      throws IOException, TaskInterruptedException {
    for (Input input : inputs) {
      Path target = directory.resolve(input.path());
      Path folder = target.getParent();
      try {
        if (folder != null) {
          Files.createDirectories(folder);
        }
        FileTrees.copy(input.source(), target, interruption);
      } catch (FileAlreadyExistsException e) {
        throw new WorkingDirectories.NoDirectoryException(
            "its file %s is also shipped for every task".formatted(input.path()));
      }
    }
  }
}
