package io.cloudkon.worker.execute;

import io.cloudkon.worker.execute.guard.Guard;
import io.cloudkon.worker.execute.guard.GuardedProcess;
import io.cloudkon.worker.execute.guard.TaskUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directories in which commands start. A command starts in the directory that it names
 * (relative to the configured one, or to the worker's), else in the configured one, else in a fresh
 * private one that is removed afterwards. With shipped files, it starts in a private directory with
 * copies that it may write to, or in a folder inside it; this directory is one of {@link Overlays},
 * a {@link StagedDirectory}, or fresh. A command that names an absolute directory always starts
 * there.
 */
final class WorkingDirectories implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WorkingDirectories.class);

  private static final FileAttribute<?> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final @Nullable Path configured;
  private final Path temporary;
  private final @Nullable TaskUser user;
  private final Guard guard;
  private final @Nullable Overlays overlays;
  private final Stages stages = new Stages();
  private final Removals removals = new Removals();
  private @Nullable Path scratch;

  /**
   * Creates no directory yet.
   *
   * @param temporary the folder for fresh directories
   * @param user the owner of fresh directories; null means the worker's own user
   * @param overlays provides shipped files, where it can; null means that they are copied
   */
  WorkingDirectories(
      @Nullable Path configured,
      Path temporary,
      @Nullable TaskUser user,
      Guard guard,
      @Nullable Overlays overlays) {
    this.configured = configured;
    this.temporary = temporary;
    this.user = user;
    this.guard = guard;
    this.overlays = overlays;
  }

  private static void remove(Path fresh, @Nullable TaskUser user) {
    if (user == null) {
      FileTrees.remove(fresh);
      return;
    }
    // Never walked with the worker's permissions: the user could lead the walk elsewhere by links.
    try {
      if (!deleted(fresh)) {
        LeftMounts.requireNone(fresh); // not detached: the user could lead that elsewhere, too
        user.empty(fresh);
        Files.deleteIfExists(fresh);
      }
    } catch (IOException e) {
      LOG.warn("cannot remove the contents of {}: {}", fresh, e.toString());
    }
  }

  /** Tries to delete the directory without a walk, because most tasks leave nothing. */
  private static boolean deleted(Path fresh) {
    try {
      return Files.deleteIfExists(fresh);
    } catch (IOException notEmpty) {
      return false;
    }
  }

  /** The task's own directory or files are at fault; it is not retried on another worker. */
  static final class NoDirectoryException extends IOException {
    private static final long serialVersionUID = 1L;

    NoDirectoryException(String message) {
      super(message);
    }
  }

  /** The guard could not be told of a folder; the file system has not failed. */
  static final class NoGuardException extends IOException {
    private static final long serialVersionUID = 1L;

    NoGuardException(IOException cause) {
      super(cause.getMessage(), cause);
    }
  }

  DirectoryLease lease(
      @Nullable String named, List<Path> ships, OwnFiles own, Interruption interruption)
      throws IOException, TaskInterruptedException {
    boolean elsewhere = named != null && Path.of(named).isAbsolute();
    boolean furnished = !ships.isEmpty() || !own.isEmpty();
    return furnished && !elsewhere ? furnished(named, ships, own, interruption) : lease(named);
  }

  private DirectoryLease lease(@Nullable String named) throws IOException {
    Path base = configured == null ? Path.of("") : configured;
    if (named == null && configured == null) {
      Path fresh = fresh();
      give(fresh);
      return new DirectoryLease(fresh, fresh, Set.of(), process -> remove(fresh, user));
    }
    Path path = (named == null ? base : base.resolve(named)).toAbsolutePath();
    if (!Files.isDirectory(path)) {
      throw new NoDirectoryException("its directory does not exist on this worker: " + path);
    }
    return new DirectoryLease(path, path, null, process -> {});
  }

  private DirectoryLease furnished(
      @Nullable String named, List<Path> ships, OwnFiles own, Interruption interruption)
      throws IOException, TaskInterruptedException {
    Overlays.Directory mounted = mounted(ships);
    if (mounted != null) {
      return furnished(
          named, mounted.place(), ships, own, interruption, process -> removals.remove(mounted));
    }
    if (user == null && !ships.isEmpty()) {
      StagedDirectory stage = stages.take(ships, this::fresh, interruption);
      return furnished(
          named, stage.folder(), ships, own, interruption, process -> giveBack(stage, process));
    }
    Path fresh = fresh();
    boolean ready = false;
    try {
      for (Path ship : ships) {
        FileTrees.copy(ship, fresh.resolve(ship.getFileName()), interruption);
      }
      own.placeIn(fresh, interruption);
      give(fresh);
      ready = true;
      return furnished(named, fresh, names(ships, own), process -> remove(fresh, user));
    } finally {
      if (!ready) {
        FileTrees.remove(fresh); // closed to a task's user so far
      }
    }
  }

  /** Leases a directory with shipped files, after placing the task's own files in it. */
  private static DirectoryLease furnished(
      @Nullable String named,
      Path shipped,
      List<Path> ships,
      OwnFiles own,
      Interruption interruption,
      DirectoryLease.End end)
      throws IOException, TaskInterruptedException {
    boolean ready = false;
    try {
      own.placeIn(shipped, interruption);
      ready = true;
    } finally {
      if (!ready) {
        end.of(null);
      }
    }
    return furnished(named, shipped, names(ships, own), end);
  }

  /** Whether commands see shipped files by mounts. */
  boolean mount() {
    return overlays != null;
  }

  /** A directory that shows these by a mount; null if they are to be copied. */
  private Overlays.@Nullable Directory mounted(List<Path> ships) throws IOException {
    return overlays == null || ships.isEmpty()
        ? null
        : overlays.of(ships, this::fresh).orElse(null);
  }

  private void giveBack(StagedDirectory stage, @Nullable GuardedProcess process) {
    if (process == null) {
      stages.drop(stage);
    } else {
      stage.endedAs(process);
      stages.giveBack(stage);
    }
  }

  /** Leases a directory with shipped files, or a folder inside it. */
  private static DirectoryLease furnished(
      @Nullable String named, Path fresh, Set<String> names, DirectoryLease.End end)
      throws NoDirectoryException {
    Path start = (named == null ? fresh : fresh.resolve(named)).normalize();
    if (!start.startsWith(fresh.normalize()) || !Files.isDirectory(start)) {
      end.of(null);
      throw new NoDirectoryException("its directory is not among the shipped files: " + named);
    }
    return new DirectoryLease(start, fresh, names, end);
  }

  /** The names that these files and folders have in the directory. */
  private static Set<String> names(List<Path> ships, OwnFiles own) {
    return Stream.concat(
            ships.stream().map(Path::getFileName),
            own.inputs().stream().map(input -> input.path().getName(0)))
        .map(Path::toString)
        .collect(Collectors.toSet());
  }

  private Path fresh() throws IOException {
    return Files.createTempDirectory(base(), "task-");
  }

  private void give(Path tree) throws IOException {
    if (user != null) {
      user.give(tree);
    }
  }

  /** A new file that commands may write and the worker may read. */
  Path exchange(String prefix) throws IOException {
    Path file = Files.createTempFile(base(), prefix, "");
    give(file);
    return file;
  }

  /**
   * A private folder of this process, created on first use. If commands have a user of their own,
   * that user cannot enter it.
   */
  synchronized Path scratch() throws IOException {
    Path base = base();
    if (user == null) {
      return base;
    }
    Path own = base.resolve("worker");
    if (!Files.isDirectory(own)) {
      Files.createDirectory(own, PRIVATE);
    }
    return own;
  }

  /**
   * The folder that holds everything. If commands have a user of their own, that user can only pass
   * through it.
   */
  private synchronized Path base() throws IOException {
    Path all = scratch;
    if (all == null || !Files.isDirectory(all)) {
      all = temporary.resolve("cloudkon-" + UUID.randomUUID());
      // announced before it is created, so that a worker killed in between leaves nothing
      try {
        guard.removeInTheEnd(all.toAbsolutePath());
      } catch (IOException e) {
        throw new NoGuardException(e);
      }
      Files.createDirectory(all, PRIVATE);
      if (user != null) {
        Files.setPosixFilePermissions(all, TaskUser.PASSABLE);
      }
      scratch = all;
    }
    return all;
  }

  /** Waits for directories of ended commands that are still to be removed. */
  void settle() {
    removals.close();
  }

  @Override
  public synchronized void close() {
    removals.close();
    if (scratch != null) {
      FileTrees.remove(scratch);
    }
  }
}
