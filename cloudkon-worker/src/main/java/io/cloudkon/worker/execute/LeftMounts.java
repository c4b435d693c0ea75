package io.cloudkon.worker.execute;

import io.cloudkon.worker.execute.spawn.NativeCalls;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Mounts that commands left in their directories. A directory is removed only once nothing is
 * mounted in it, because its removal would delete the mounted files. The kernel's list shows them;
 * a device number would not, as a bind mount has that of its original. A look costs some 50 us with
 * 20 mounts on the machine. Stateless and thread safe.
 */
final class LeftMounts {
  private static final Path LIST = Path.of("/proc/self/mountinfo");

  /** The field of a line that holds the mount point. */
  private static final int PLACE = 4;

  /** {@code MNT_DETACH | UMOUNT_NOFOLLOW}. */
  private static final int DETACH = 2 | 8;

  /** {@code MS_REC | MS_PRIVATE}. */
  private static final int PRIVATE = 0x4000 | 0x40000;

  /** How many mounts are detached from one directory. */
  private static final int MOST = 1_000;

  private LeftMounts() {}

  /** The calls that detach; looked up with the first mount that was left. */
  private static final class Calls {
    static final Optional<MethodHandle> MOUNT = find("mount");
    static final Optional<MethodHandle> UNMOUNT = find("umount2");

    private static Optional<MethodHandle> find(String name) {
      return NativeCalls.arePossible() ? NativeCalls.find(name) : Optional.empty();
    }
  }

  /** Whether this process has the calls that detach, whether or not it may use them. */
  static boolean canDetach() {
    return Calls.MOUNT.isPresent() && Calls.UNMOUNT.isPresent();
  }

  /** Whether this system lists its mounts: Linux with {@code /proc}. */
  static boolean areListed() {
    return Files.isReadable(LIST);
  }

  /**
   * The mounts at a path and below it, outer ones first; none if the system does not list them.
   *
   * @throws IOException if their list cannot be read
   */
  static List<Path> at(Path path) throws IOException {
    if (!areListed()) {
      return List.of();
    }
    // the list has real paths
    Path absolute = path.toAbsolutePath();
    Path parent = absolute.getParent();
    Path name = absolute.getFileName();
    Path real = parent == null || name == null ? absolute : parent.toRealPath().resolve(name);
    // bytes as characters: the names in the list have any charset
    return at(real, Files.readString(LIST, StandardCharsets.ISO_8859_1));
  }

  /**
   * Checks that nothing is mounted at a path and below it.
   *
   * @throws IOException if something is, with one of the places
   */
  static void requireNone(Path path) throws IOException {
    List<Path> left = at(path);
    if (!left.isEmpty()) {
      throw new IOException(
          "something is still mounted on %s; unmount it, then remove the directory"
              .formatted(left.getFirst()));
    }
  }

  /** The mounts at a real path and below it in this list, whose bytes are its characters. */
  static List<Path> at(Path real, String list) {
    String prefix = raw(real.toString());
    List<Path> found = new ArrayList<>();
    for (String line : list.split("\n", -1)) {
      String[] fields = line.split(" ", PLACE + 2);
      if (fields.length > PLACE) {
        String place = unescaped(fields[PLACE]);
        if (place.equals(prefix) || place.startsWith(prefix + '/')) {
          found.add(path(place, real));
        }
      }
    }
    found.sort(Comparator.comparingInt(Path::getNameCount));
    return found;
  }

  /** The path of a mount point; the whole directory's if this locale cannot express it. */
  private static Path path(String place, Path real) {
    try {
      return Path.of(text(place));
    } catch (InvalidPathException e) {
      return real;
    }
  }

  private static String raw(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  private static String text(String raw) {
    return new String(raw.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  /** Blanks, tabs, line ends and backslashes are written as three octal digits. */
  private static String unescaped(String field) {
    StringBuilder plain = new StringBuilder(field.length());
    for (int i = 0; i < field.length(); i++) {
      if (field.charAt(i) == '\\' && i + 3 < field.length()) {
        plain.append((char) Integer.parseInt(field.substring(i + 1, i + 4), 8));
        i += 3;
      } else {
        plain.append(field.charAt(i));
      }
    }
    return plain.toString();
  }

  /**
   * Detaches everything that is mounted at a path or below it; processes that use it keep what they
   * have open.
   *
   * @return whether anything was mounted there
   * @throws IOException if anything still is, with one of the places
   */
  static boolean detach(Path path) throws IOException {
    List<Path> left = at(path);
    boolean any = !left.isEmpty();
    for (int i = 0; i < MOST && !left.isEmpty(); i++) {
      // the outer one takes those inside along
      if (!detachOne(left.getFirst())) {
        break;
      }
      left = at(path);
    }
    requireNone(path);
    return any;
  }

  /**
   * Detaches what was mounted last at this place, with everything inside; returns whether anything
   * was.
   */
  static boolean detachOne(Path place) {
    if (!canDetach()) {
      return false;
    }
    try (Arena arena = Arena.ofConfined()) {
      long target = arena.allocateFrom(place.toAbsolutePath().toString()).address();
      // private first: of a recursive bind mount, the originals inside would be unmounted, too
      long _ = NativeCalls.call(Calls.MOUNT.get(), 0, target, 0, PRIVATE, 0, 0);
      return (int) NativeCalls.call(Calls.UNMOUNT.get(), target, DETACH, 0, 0, 0, 0) == 0;
    }
  }
}
