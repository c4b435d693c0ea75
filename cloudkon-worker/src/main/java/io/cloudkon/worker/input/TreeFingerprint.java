package io.cloudkon.worker.input;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Names, kinds, sizes, modes and times of all that lies in a folder, without reading any content:
 * who writes to a file changes its status time, which no program can set.
 *
 * @param sha256 of the list
 */
record TreeFingerprint(String sha256) {
  /** The status time is one of Unix; elsewhere the time of the last write must do. */
  private static final String ATTRIBUTES =
      FileSystems.getDefault().supportedFileAttributeViews().contains("unix")
          ? "unix:ino,mode,size,ctime,lastModifiedTime"
          : "basic:fileKey,size,lastModifiedTime";

  /** Looks at everything below {@code folder}, but not at the folder itself. */
  static TreeFingerprint of(Path folder) throws IOException {
    MessageDigest digest = Digests.sha256();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : (Iterable<Path>) all.skip(1).sorted()::iterator) {
        Map<String, Object> found =
            new TreeMap<>(Files.readAttributes(path, ATTRIBUTES, LinkOption.NOFOLLOW_LINKS));
        digest.update(
            (folder.relativize(path) + "\0" + found + "\0").getBytes(StandardCharsets.UTF_8));
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return new TreeFingerprint(HexFormat.of().formatHex(digest.digest()));
  }
}
