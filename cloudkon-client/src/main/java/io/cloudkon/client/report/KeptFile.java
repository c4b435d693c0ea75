package io.cloudkon.client.report;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A file that is in a run's folder from the start.
 *
 * @param name its name in the folder
 * @param copy writes it
 */
public record KeptFile(String name, Copy copy) {

  /** Writes a file and syncs it to disk. */
  @FunctionalInterface
  public interface Copy {
    void writeTo(Path file) throws IOException;
  }
}
