package io.cloudkon.worker.collect;

import io.cloudkon.core.model.CollectedFiles;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Finds what a task that was to bring back no files has left in its directory, which is removed, so
 * that its user learns of it. Looks at the directory itself only: one system call for a task that
 * leaves nothing. Stateless.
 */
public final class DiscardedFiles {
  /** Names that a result carries. */
  private static final int NAMED = 3;

  private DiscardedFiles() {}

  /**
   * The files and folders that a task has left. Names that begin with a dot do not count, nor a
   * directory that cannot be read.
   *
   * @param before the names that were there when the task started
   */
  public static CollectedFiles in(Path directory, Set<String> before) {
    LeftOutFiles left = new LeftOutFiles();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
      for (Path path : all) {
        String name = path.getFileName().toString();
        if (!name.startsWith(".") && !before.contains(name)) {
          left.add(name, CollectedFiles.NOT_REQUESTED);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      return CollectedFiles.NONE; // nothing is lost but the remark
    }
    if (left.count() == 0) {
      return CollectedFiles.NONE;
    }
    List<CollectedFiles.LeftOut> named =
        left.first().subList(0, Math.min(NAMED, left.first().size()));
    return new CollectedFiles("", 0, 0, named, left.count(), List.of(), "");
  }
}
