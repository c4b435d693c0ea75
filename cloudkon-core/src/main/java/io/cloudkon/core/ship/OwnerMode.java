package io.cloudkon.core.ship;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** The owner's permissions as bits; if the file system has none, nothing is changed. */
final class OwnerMode {
  /** Read, write and execute. */
  static final int ALL = 0700;

  private static final Map<PosixFilePermission, Integer> BITS =
      new EnumMap<>(
          Map.of(
              PosixFilePermission.OWNER_READ, 0400,
              PosixFilePermission.OWNER_WRITE, 0200,
              PosixFilePermission.OWNER_EXECUTE, 0100));

  private OwnerMode() {}

  static int of(Path file) throws IOException {
    if (!isPosix(file)) {
      return ALL;
    }
    Set<PosixFilePermission> permissions =
        Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS);
    int mode = 0;
    for (var bit : BITS.entrySet()) {
      mode |= permissions.contains(bit.getKey()) ? bit.getValue() : 0;
    }
    return mode;
  }

  static void set(Path file, int mode) throws IOException {
    if (isPosix(file)) {
      Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
      for (var bit : BITS.entrySet()) {
        if ((mode & bit.getValue()) != 0) {
          permissions.add(bit.getKey());
        }
      }
      Files.setPosixFilePermissions(file, permissions);
    }
  }

  private static boolean isPosix(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}
