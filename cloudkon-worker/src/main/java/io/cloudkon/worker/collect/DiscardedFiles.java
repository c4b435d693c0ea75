package io.cloudkon.worker.collect;

import io.cloudkon.core.model.CollectedFiles;
import io.cloudkon.core.model.Limits;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Finds what a task that was to bring back no files has left in its directory, which is removed, so
 * that its user learns of it. Looks at the names in the directory itself only, which takes some 5
 * us: what lies in a shipped folder, and overwritten files, are not found. Stateless.
 */
public final class DiscardedFiles {
  private DiscardedFiles() {}

  /**
   * The files and folders that a task has left; the first of them in order of names. Names that
   * begin with a dot do not count, nor does a directory that cannot be read.
   *
   * @param before the names that were there when the task started
   */
  public static CollectedFiles in(Path directory, Set<String> before) {
    SortedSet<String> first = new TreeSet<>();
    int count = 0;
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
      for (Path path : all) {
        String name = path.getFileName().toString();
        if (!name.startsWith(".") && !before.contains(name)) {
          count++;
          first.add(name);
          if (first.size() > Limits.DISCARDED) {
            first.removeLast();
          }
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      return CollectedFiles.NONE; // nothing is lost but the remark
    }
    return count == 0
        ? CollectedFiles.NONE
        : CollectedFiles.discarded(new CollectedFiles.Discarded(List.copyOf(first), count));
  }
}
