package io.cloudkon.worker.execute;

import io.cloudkon.worker.execute.spawn.NativeCalls;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The system calls of overlay mounts on Linux, which need {@code CAP_SYS_ADMIN}. A mount shows the
 * files of its lower folders and puts every change into its upper folder. Thread safe.
 *
 * @see <a href="https://docs.kernel.org/filesystems/overlayfs.html">Overlay Filesystem</a>
 */
final class OverlayMounts {
  /** How many mounts on top of each other are removed from one folder. */
  private static final int MOST_ON_TOP = 100;

  /** The kernel takes options of one page at most. */
  private static final int OPTION_BYTES = 4000;

  /**
   * The socket on which a Docker daemon listens. Tasks that hand it a path of their directory need
   * the machine's namespace, in which that path shows no mount.
   */
  private static final Path DOCKER = Path.of("/run/docker.sock");

  /** The system property by which the launcher says that it made a mount namespace. */
  private static final String OWN = "cloudkon.mounts.own";

  private static final Path OWN_NAMESPACE = Path.of("/proc/self/ns/mnt");
  private static final Path FIRST_NAMESPACE = Path.of("/proc/1/ns/mnt");

  /** The outcomes of trials, by the folder below which a mount was tried. */
  private static final Map<Path, Optional<OverlayMounts>> TRIED = new ConcurrentHashMap<>();

  private final MethodHandle mount;

  private OverlayMounts(MethodHandle mount) {
    this.mount = mount;
  }

  /** The system calls if mounts below this folder work, which is tried once. */
  static Optional<OverlayMounts> below(Path folder) {
    return TRIED.computeIfAbsent(folder, below -> find().filter(mounts -> mounts.workBelow(below)));
  }

  /** The system calls, whether or not this process may use them; empty if there are none. */
  private static Optional<OverlayMounts> find() {
    try {
      if (!NativeCalls.arePossible()) {
        return Optional.empty();
      }
      return LeftMounts.canDetach()
          ? NativeCalls.find("mount").map(OverlayMounts::new)
          : Optional.empty();
    } catch (RuntimeException | LinkageError e) {
      return Optional.empty();
    }
  }

  /** Whether tasks here may hand paths to a Docker daemon, which would not see their mounts. */
  static boolean isBesideDocker() {
    return Files.exists(DOCKER);
  }

  /**
   * Whether this process has a mount namespace of its own: the launcher gave it one, or it is not
   * that of the machine's first process. The mounts in such a namespace end with its last process,
   * even if that is killed.
   */
  static boolean isNamespaceOwn() {
    if (Boolean.getBoolean(OWN)) {
      return true;
    }
    try {
      return !Files.readSymbolicLink(OWN_NAMESPACE).equals(Files.readSymbolicLink(FIRST_NAMESPACE));
    } catch (IOException | UnsupportedOperationException e) {
      return false; // no Linux, or not permitted to know
    }
  }

  /** Whether a mount below this folder works; tried with folders that are removed again. */
  private boolean workBelow(Path folder) {
    Path trial = null;
    try {
      trial = Files.createTempDirectory(folder, "cloudkon-mount-");
      Path lower = Files.createDirectory(trial.resolve("lower"));
      Files.createFile(Files.createDirectory(lower.resolve("folder")).resolve("file"));
      Path upper = Files.createDirectory(trial.resolve("upper"));
      Path work = Files.createDirectory(trial.resolve("work"));
      Path place = Files.createDirectory(trial.resolve("place"));
      if (!mount(List.of(lower), upper, work, place)) {
        return false;
      }
      try {
        // a rename of a shipped folder, which not every overlay can do
        Files.move(place.resolve("folder"), place.resolve("moved"));
        Files.writeString(place.resolve("moved/new"), "x");
        return Files.exists(lower.resolve("folder/file"))
            && Files.exists(place.resolve("moved/file"))
            && !Files.exists(place.resolve("folder"));
      } finally {
        unmount(place);
      }
    } catch (IOException e) {
      return false;
    } finally {
      if (trial != null) {
        FileTrees.remove(trial);
      }
    }
  }

  /**
   * Mounts an overlay.
   *
   * @param lower the folders that it shows; they stay as they are, and nobody changes them
   *     meanwhile
   * @param upper an empty folder for changes
   * @param work a folder for the kernel, in the file system of {@code upper}
   * @param place an empty folder, where it is mounted
   * @return whether it could be mounted
   */
  boolean mount(List<Path> lower, Path upper, Path work, Path place) {
    List<String> names = new ArrayList<>();
    for (Path each : lower) {
      names.add(each.toAbsolutePath().toString());
    }
    names.add(upper.toAbsolutePath().toString());
    names.add(work.toAbsolutePath().toString());
    // In options, these separate; escaping them differs between kernels.
    if (names.stream().anyMatch(name -> name.matches("(?s).*[:,\\\\\"].*"))) {
      return false;
    }
    int folders = lower.size();
    // redirect_dir: else a shipped folder cannot be renamed. The others are defaults of some
    // kernels.
    String options =
        "lowerdir=%s,upperdir=%s,workdir=%s,redirect_dir=on,index=off,metacopy=off"
            .formatted(
                String.join(":", names.subList(0, folders)),
                names.get(folders),
                names.get(folders + 1));
    // volatile, from Linux 5.10 on: else each unmount syncs the whole file system below
    return mount(options + ",volatile", place) || mount(options, place);
  }

  private boolean mount(String options, Path place) {
    try (Arena arena = Arena.ofConfined()) {
      long kind = arena.allocateFrom("overlay").address();
      MemorySegment text = arena.allocateFrom(options);
      return text.byteSize() <= OPTION_BYTES
          && call(mount, kind, address(arena, place), kind, 0, text.address());
    }
  }

  /**
   * Unmounts, with whatever was mounted on top and inside; those who still use it keep what they
   * have open.
   */
  void unmount(Path place) {
    for (int i = 0; i < MOST_ON_TOP && LeftMounts.detachOne(place); i++) {
      // until nothing is mounted there
    }
  }

  private static long address(Arena arena, Path path) {
    return arena.allocateFrom(path.toAbsolutePath().toString()).address();
  }

  private static boolean call(MethodHandle function, long a, long b, long c, long d, long e) {
    return (int) NativeCalls.call(function, a, b, c, d, e, 0) == 0;
  }
}
