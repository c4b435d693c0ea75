package io.cloudkon.worker.execute;

import io.cloudkon.worker.execute.guard.Guard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where commands start: the directory they name (seen from the configured one, or from the
 * worker's), else the configured one, else a fresh private one that is removed afterwards. Where
 * something was shipped it is always a fresh one, with copies that the command may write to, or a
 * folder inside it; only an absolute directory is where it is.
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

  /**
   * A directory for one task.
   *
   * @param path where it starts
   * @param fresh what is removed afterwards
   */
  record Lease(Path path, @Nullable Path fresh) implements AutoCloseable {
    @Override
    public void close() {
      if (fresh != null) {
        FileTrees.remove(fresh);
      }
    }
  }

  Lease lease(@Nullable String named, List<Path> ships, Interruption interruption)
      throws IOException, TaskInterruptedException {
    boolean elsewhere = named != null && Path.of(named).isAbsolute();
    return ships.isEmpty() || elsewhere ? lease(named) : furnished(named, ships, interruption);
  }

  private Lease lease(@Nullable String named) throws IOException {
    Path base = configured == null ? Path.of("") : configured;
    if (named == null && configured == null) {
      Path fresh = fresh();
      return new Lease(fresh, fresh);
    }
    Path path = (named == null ? base : base.resolve(named)).toAbsolutePath();
    if (!Files.isDirectory(path)) {
      throw new IOException("its directory does not exist on this worker: " + path);
    }
    return new Lease(path, null);
  }

  private Lease furnished(@Nullable String named, List<Path> ships, Interruption interruption)
      throws IOException, TaskInterruptedException {
    Path fresh = fresh();
    boolean ready = false;
    try {
      for (Path ship : ships) {
        FileTrees.copy(ship, fresh.resolve(ship.getFileName()), interruption);
      }
      Path start = (named == null ? fresh : fresh.resolve(named)).normalize();
      if (!start.startsWith(fresh.normalize()) || !Files.isDirectory(start)) {
        throw new IOException("its directory is not in what was shipped: " + named);
      }
      ready = true;
      return new Lease(start, fresh);
    } finally {
      if (!ready) {
        FileTrees.remove(fresh);
      }
    }
  }

  private Path fresh() throws IOException {
    return Files.createTempDirectory(scratch(), "task-");
  }

  /** A folder of this process alone, made when it is first asked for. */
  synchronized Path scratch() throws IOException {
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
