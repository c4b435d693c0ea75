package io.cloudkon.client.cli;

import io.cloudkon.client.report.RunsHere;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A hint for {@code --ship .}, or another name of the current folder: tasks find the folder by its
 * name, and not, as somebody might expect who names it by a dot, as the folder in which they start.
 */
final class ShippedFolder {
  private ShippedFolder() {}

  /**
   * The hint; empty if the current folder is not shipped.
   *
   * @param ships the paths of {@code --ship}
   */
  static Optional<String> hint(List<Path> ships) {
    Path here = Path.of("").toAbsolutePath();
    return ships.stream()
        .filter(path -> path.toAbsolutePath().normalize().equals(here))
        .findFirst()
        .map(path ->
            "tasks find what --ship %s sends in %s/, a folder inside the one in which they start%s; to keep paths as they are here, ship each file or folder by its own name"
                .formatted(
                    path,
                    here.getFileName() == null ? here : here.getFileName(),
                    RunsHere.all().isEmpty() ? "" : ", including the results of earlier runs"));
  }
}
