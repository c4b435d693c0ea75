package io.cloudkon.worker.execute;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Directories that show shipped files by an {@linkplain OverlayMounts overlay mount}, each for one
 * command: nothing is copied, and what the command writes ends with its directory. A directory
 * costs a mount, an unmount and four new folders, 0.5 ms on an idle machine, whatever was shipped.
 * Its folders are never used again: a process that stayed behind, or a mount namespace that a
 * command made, may still use them. Thread safe.
 */
final class Overlays {
  private static final Logger LOG = LoggerFactory.getLogger(Overlays.class);

  private static final String UPPER = "upper";

  /** The mode of the upper folder is that of the directory. */
  private static final FileAttribute<?> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final OverlayMounts mounts;
  private final AtomicBoolean failureTold = new AtomicBoolean();

  /** A directory of one command. Used by one thread at a time. */
  final class Directory {
    private final Path place;
    private final Path layers;

    private Directory(Path place, Path layers) {
      this.place = place;
      this.layers = layers;
    }

    Path place() {
      return place;
    }

    /** The folder with everything that the command changed. */
    Path changes() {
      return layers.resolve(UPPER);
    }

    /**
     * Removes it; processes that still use it keep what they have open, and nobody else sees it.
     */
    void remove() {
      mounts.unmount(place);
      FileTrees.remove(place);
      FileTrees.remove(layers);
    }
  }

  private Overlays(OverlayMounts mounts) {
    this.mounts = mounts;
  }

  /**
   * The overlays of a worker; empty if it copies shipped files instead.
   *
   * @param temporary the folder below which its directories lie
   */
  static Optional<Overlays> of(Mounting wanted, Path temporary) {
    boolean wants =
        switch (wanted) {
          case ON -> true;
          case AUTO -> OverlayMounts.isNamespaceOwn() && !OverlayMounts.isBesideDocker();
          case OFF -> false;
        };
    return wants ? OverlayMounts.below(temporary).map(Overlays::new) : Optional.empty();
  }

  /**
   * Makes a directory.
   *
   * @param ships what it shows
   * @return empty if these cannot be shown by a mount
   * @throws IOException if its folders cannot be made
   */
  Optional<Directory> of(List<Path> ships, Stages.Place places) throws IOException {
    List<Path> lower = new ArrayList<>();
    Set<Path> names = new HashSet<>();
    for (Path ship : ships) {
      Path around = ship.toAbsolutePath().getParent();
      if (around == null || !names.add(ship.getFileName()) || !isAlone(ship, around)) {
        return Optional.empty();
      }
      lower.add(around);
    }
    Directory directory = new Directory(places.make(), places.make());
    boolean mounted = false;
    try {
      Path upper = Files.createDirectory(directory.changes(), PRIVATE);
      Path work = Files.createDirectory(directory.layers.resolve("work"), PRIVATE);
      mounted = mounts.mount(lower, upper, work, directory.place);
    } finally {
      if (!mounted) {
        directory.remove();
      }
    }
    if (!mounted && failureTold.compareAndSet(false, true)) {
      LOG.warn("{} shipped files or folders cannot be mounted, and are copied", ships.size());
    }
    return mounted ? Optional.of(directory) : Optional.empty();
  }

  /** Whether the folder holds nothing else: all of it will be seen. */
  private static boolean isAlone(Path ship, Path folder) throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
      for (Path each : all) {
        if (!each.getFileName().equals(ship.getFileName())) {
          return false;
        }
      }
      return true;
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }
}
