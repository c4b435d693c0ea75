package io.cloudkon.examples.demo;

import io.cloudkon.core.error.CloudKonException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** A folder that goes with all that is in it. Thread safe. */
final class TemporaryFolder implements AutoCloseable {
  private final Path path;

  TemporaryFolder() {
    try {
      path = Files.createTempDirectory("cloudkon-demo").toRealPath();
    } catch (IOException e) {
      throw new CloudKonException("no temporary folder can be made: " + e.getMessage(), e);
    }
  }

  Path path() {
    return path;
  }

  /** Removes it; what cannot be removed is said on standard error. */
  @Override
  public synchronized void close() {
    if (!Files.exists(path)) {
      return;
    }
    try {
      Files.walkFileTree(path, new Remover());
    } catch (IOException e) {
      System.err.printf("cloudkon demo: %s cannot be removed: %s%n", path, e);
    }
  }

  private static final class Remover extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException why)
        throws IOException {
      Files.deleteIfExists(folder);
      return FileVisitResult.CONTINUE;
    }
  }
}
