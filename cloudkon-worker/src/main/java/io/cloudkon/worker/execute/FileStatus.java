package io.cloudkon.worker.execute;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The status of a file, folder or link on a Unix file system. Every write, and every change of
 * permissions or of a folder's entries, updates the status time, which no program can set.
 *
 * @param mode type and permissions, as in {@code stat(2)}
 * @param changed the status time (ctime), in nanoseconds since 1970
 * @param modified the modification time (mtime), likewise
 */
record FileStatus(
    long inode, int mode, long owner, long group, long size, long changed, long modified) {
  private static final int KIND = 0170000;
  private static final int FOLDER = 0040000;
  private static final int REGULAR = 0100000;

  /** File system clocks advance in ticks of at most 10 ms. */
  private static final long TICK = TimeUnit.MILLISECONDS.toNanos(100);

  /** Without fractions of a second, they advance in ticks of one or two seconds. */
  private static final long COARSE_TICK = TimeUnit.MILLISECONDS.toNanos(2_100);

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  /**
   * File systems on which every write updates the status time, by this machine's clock. On a tmpfs,
   * a write through a mapping may not; a network file system uses another clock.
   */
  private static final Set<String> TRUSTED =
      Set.of("ext2", "ext3", "ext4", "xfs", "btrfs", "overlay");

  /** Whether every change of a folder's content shows in a status. */
  static boolean tellsAll(Path folder) {
    try {
      return FileSystems.getDefault().supportedFileAttributeViews().contains("unix")
          && TRUSTED.contains(Files.getFileStore(folder).type());
    } catch (IOException e) {
      return false;
    }
  }

  /** The status of this path, without following a link; null if nothing exists there. */
  static @Nullable FileStatus of(Path path) throws IOException {
    try {
      Map<String, Object> found =
          Files.readAttributes(
              path, "unix:ino,mode,uid,gid,size,ctime,lastModifiedTime", LinkOption.NOFOLLOW_LINKS);
      return new FileStatus(
          number(found, "ino"),
          (int) number(found, "mode"),
          number(found, "uid"),
          number(found, "gid"),
          number(found, "size"),
          time(found, "ctime"),
          time(found, "lastModifiedTime"));
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private static long number(Map<String, Object> found, String name) {
    return ((Number) requireNonNull(found.get(name), name)).longValue();
  }

  private static long time(Map<String, Object> found, String name) {
    return ((FileTime) requireNonNull(found.get(name), name)).to(TimeUnit.NANOSECONDS);
  }

  boolean isFolder() {
    return (mode & KIND) == FOLDER;
  }

  boolean isRegular() {
    return (mode & KIND) == REGULAR;
  }

  /** Whether any later change will show; a change within the same clock tick would not. */
  boolean isSettled(long nowMillis) {
    long tick = changed % SECOND == 0 ? COARSE_TICK : TICK;
    return TimeUnit.MILLISECONDS.toNanos(nowMillis) - changed > tick;
  }
}
