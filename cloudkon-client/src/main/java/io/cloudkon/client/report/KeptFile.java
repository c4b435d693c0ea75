package io.cloudkon.client.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A file that is in a run's folder from the start.
 *
 * @param name its name in the folder
 * @param copy writes it
 */
public record KeptFile(String name, Copy copy) {

  /** Writes it into a folder, whole or not at all: half of it would not be known for a run's. */
  void writeInto(Path folder) throws IOException {
    Path half = folder.resolve(name + ".tmp");
    try {
      copy.writeTo(half);
      Files.move(half, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      Files.deleteIfExists(half);
      throw e;
    }
  }

  /** Writes a file and syncs it to disk. */
  @FunctionalInterface
  public interface Copy {
    void writeTo(Path file) throws IOException;
  }
}
