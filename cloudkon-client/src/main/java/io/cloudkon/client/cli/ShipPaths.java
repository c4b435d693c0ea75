package io.cloudkon.client.cli;

import io.cloudkon.client.report.RunFolder;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Limits;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The files and folders that {@code --ship} names, each under its own name. A path that ends in
 * {@code .} names each file and folder in that folder, without hidden ones and without the folders
 * of runs. Immutable.
 *
 * @param paths the files and folders, sorted by name where they came from a path that ends in a dot
 * @param leftOut the hidden files and the folders of runs that such a path leaves out
 */
record ShipPaths(List<Path> paths, List<Path> leftOut) {
  private static final int NAMED = 3;

  ShipPaths {
    paths = List.copyOf(paths);
    leftOut = List.copyOf(leftOut);
  }

  /**
   * Looks into the folders that are named by a dot.
   *
   * @param given the paths of {@code --ship}
   * @throws UsageException if such a folder cannot be read, has nothing to ship or too much
   */
  static ShipPaths of(List<Path> given) {
    List<Path> paths = new ArrayList<>();
    List<Path> leftOut = new ArrayList<>();
    for (Path path : given) {
      if (endsInDot(path)) {
        addContent(path, paths, leftOut);
      } else {
        paths.add(path);
      }
    }
    return new ShipPaths(paths, leftOut);
  }

  private static boolean endsInDot(Path path) {
    return path.getFileName() != null && path.getFileName().toString().equals(".");
  }

  private static void addContent(Path folder, List<Path> paths, List<Path> leftOut) {
    List<Path> found = new ArrayList<>();
    for (Path each : entries(folder)) {
      boolean wanted =
          !each.getFileName().toString().startsWith(".") && RunFolder.headerIn(each).isEmpty();
      (wanted ? found : leftOut).add(each);
    }
    if (found.isEmpty()) {
      throw new UsageException(
          "--ship %s: there is nothing to ship in it; expected a file or a folder in %s"
              .formatted(folder, real(folder)));
    }
    if (found.size() > Limits.SHIPS) {
      throw new UsageException(
          "--ship %s: %d files and folders are in it; expected at most %d: put related files into one folder, or ship %s as one folder, by its name"
              .formatted(folder, found.size(), Limits.SHIPS, real(folder)));
    }
    paths.addAll(found);
  }

  private static List<Path> entries(Path folder) {
    List<Path> all = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      entries.forEach(all::add);
    } catch (IOException | DirectoryIteratorException e) {
      throw new UsageException(
          "--ship %s: cannot be read; expected a folder of files".formatted(folder), e);
    }
    return all.stream().map(Path::normalize).sorted().toList();
  }

  private static Path real(Path folder) {
    return folder.toAbsolutePath().normalize();
  }

  /** Says what is left out; empty if nothing is. */
  Optional<String> note() {
    if (leftOut.isEmpty()) {
      return Optional.empty();
    }
    String names =
        String.join(", ", leftOut.stream().limit(NAMED).map(Path::toString).toList())
            + (leftOut.size() > NAMED ? ", …" : "");
    return Optional.of(
        "not shipped, as they are hidden or folders of runs: %s; --ship NAME ships one all the same"
            .formatted(names));
  }
}
