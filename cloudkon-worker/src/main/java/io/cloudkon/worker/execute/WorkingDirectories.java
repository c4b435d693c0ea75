package io.cloudkon.worker.execute;

import io.cloudkon.worker.execute.guard.Guard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where commands start: the directory they name (seen from the configured one, or from the
 * worker's), else the configured one, else a fresh private one that is removed afterwards.
 */
final class WorkingDirectories implements AutoCloseable {
  private static final FileAttribute<?> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final @Nullable Path configured;
  private final Guard guard;
  private @Nullable Path scratch;

  WorkingDirectories(@Nullable Path configured, Guard guard) {
    this.configured = configured;
    this.guard = guard;
  }

  /** A directory for one task. */
  record Lease(Path path, boolean fresh) implements AutoCloseable {
    @Override
    public void close() {
      if (fresh) {
        FileTrees.remove(path);
      }
    }
  }

  Lease lease(@Nullable String named) throws IOException {
    Path base = configured == null ? Path.of("") : configured;
    if (named == null && configured == null) {
      return new Lease(Files.createTempDirectory(scratch(), "task-"), true);
    }
    Path path = (named == null ? base : base.resolve(named)).toAbsolutePath();
    if (!Files.isDirectory(path)) {
      throw new IOException("its directory does not exist on this worker: " + path);
    }
    return new Lease(path, false);
  }

  private synchronized Path scratch() throws IOException {
    Path all = scratch;
    if (all == null || !Files.isDirectory(all)) {
      all = Path.of(System.getProperty("java.io.tmpdir"), "cloudkon-" + UUID.randomUUID());
      // told before it is made: a worker killed in between leaves nothing
      guard.removeInTheEnd(all.toAbsolutePath());
      Files.createDirectory(all, PRIVATE);
      scratch = all;
    }
    return all;
  }

  @Override
  public synchronized void close() {
    if (scratch != null) {
      FileTrees.remove(scratch);
    }
  }
}
