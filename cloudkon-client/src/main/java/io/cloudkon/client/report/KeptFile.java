package io.cloudkon.client.report;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A file that a run's folder has from its beginning.
 *
 * @param name in the folder
 * @param copy writes it
 */
public record KeptFile(String name, Copy copy) {

  /** Writes a file, to disk. */
  @FunctionalInterface
  public interface Copy {
    void writeTo(Path file) throws IOException;
  }
}
