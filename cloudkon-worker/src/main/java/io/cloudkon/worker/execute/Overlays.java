package io.cloudkon.worker.execute;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Directories that show shipped files by an {@linkplain OverlayMounts overlay mount}, each for one
 * command: nothing is copied, and what the command writes ends with its directory. A directory
 * costs a mount, an unmount and a new folder, 0.1 to 1 ms, whatever was shipped. Thread safe.
 */
final class Overlays {
  private static final Logger LOG = LoggerFactory.getLogger(Overlays.class);

  /** The mode of the upper folder is that of the directory. */
  private static final FileAttribute<?> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final OverlayMounts mounts;

  /** The folders of directories that have ended, which are used again. */
  private final ConcurrentLinkedDeque<Layers> idle = new ConcurrentLinkedDeque<>();

  /** The folders of an overlay besides those that it shows. */
  private record Layers(Path folder) {
    Path upper() {
      return folder.resolve("upper");
    }

    Path work() {
      return folder.resolve("work");
    }

    /** Where the mount point lies while it is not used. */
    Path idle() {
      return folder.resolve("place");
    }

    void make() throws IOException {
      Files.createDirectory(upper(), PRIVATE);
      Files.createDirectory(work(), PRIVATE);
      Files.createDirectory(idle(), PRIVATE);
    }

    /** A mount point under a name that no earlier command knows. */
    Path place() throws IOException {
      Path place = folder.resolveSibling("task-" + UUID.randomUUID());
      return Files.move(idle(), place, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /** A directory of one command. Used by one thread. */
  final class Directory {
    private final Path place;
    private final Layers layers;
    private final @Nullable FileStatus fresh;

    private Directory(Path place, Layers layers) throws IOException {
      this.place = place;
      this.layers = layers;
      this.fresh = FileStatus.of(layers.upper());
    }

    Path place() {
      return place;
    }

    /**
     * Removes it; processes that still use it keep what they have open, and nobody else sees it.
     */
    void remove() {
      boolean unused = mounts.unmount(place);
      if (unused && isMadeFresh()) {
        idle.push(layers);
        return;
      }
      if (!unused) {
        mounts.detach(place);
      }
      FileTrees.remove(place);
      FileTrees.remove(layers.folder());
    }

    /** Makes the folders as they were; every change of the upper one shows in its status. */
    private boolean isMadeFresh() {
      try {
        if (fresh == null || !fresh.equals(FileStatus.of(layers.upper()))) {
          FileTrees.remove(layers.upper());
          Files.createDirectory(layers.upper(), PRIVATE);
        }
        Files.move(place, layers.idle(), StandardCopyOption.ATOMIC_MOVE);
        return true;
      } catch (IOException e) {
        LOG.debug("{} is not used again: {}", layers.folder(), e.toString());
        return false;
      }
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
    if (wanted == Mounting.OFF || (wanted == Mounting.AUTO && !OverlayMounts.isNamespaceOwn())) {
      return Optional.empty();
    }
    return OverlayMounts.find().filter(mounts -> mounts.workBelow(temporary)).map(Overlays::new);
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
    Layers layers = idle.poll();
    boolean first = layers == null;
    if (layers == null) {
      layers = new Layers(places.make());
    }
    Path place = null;
    boolean made = false;
    try {
      if (first) {
        layers.make();
      }
      place = layers.place();
      if (!mounts.mount(lower, layers.upper(), layers.work(), place)) {
        LOG.debug("{} cannot be mounted", ships);
        return Optional.empty();
      }
      Directory directory = new Directory(place, layers);
      made = true;
      return Optional.of(directory);
    } finally {
      if (!made) {
        if (place != null) {
          mounts.detach(place);
          FileTrees.remove(place);
        }
        FileTrees.remove(layers.folder());
      }
    }
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
