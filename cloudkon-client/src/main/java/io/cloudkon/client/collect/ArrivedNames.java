package io.cloudkon.client.collect;

import io.cloudkon.core.model.CollectedFiles.Named;
import io.cloudkon.core.ship.FileNames;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Lists the names of a task's arrived files for its result, up to a limit. */
final class ArrivedNames {
  /** The maximum number of names in a task's line of the results; its folder holds all files. */
  private static final int NAMED = 1000;

  private ArrivedNames() {}

  static List<Named> in(Path folder) throws IOException {
    List<Named> names = new ArrayList<>();
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            names.add(new Named(name(folder.relativize(file)), attributes.size()));
            return FileVisitResult.CONTINUE;
          }
        });
    names.sort(Comparator.comparing(Named::name));
    return names.size() > NAMED ? names.subList(0, NAMED) : names;
  }

  private static String name(Path file) throws IOException {
    StringBuilder name = new StringBuilder();
    for (Path element : file) {
      name.append(name.isEmpty() ? "" : "/").append(FileNames.of(element));
    }
    return name.toString();
  }
}
