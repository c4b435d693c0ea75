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
 * A digest of the names, kinds, sizes, modes and times of everything in a folder, without reading
 * any content: a write to a file changes its status time, which no program can set.
 *
 * @param sha256 the digest of the list
 */
record TreeFingerprint(String sha256) {
  /** Only Unix has the status time; other systems use the time of the last write. */
  private static final String ATTRIBUTES =
      FileSystems.getDefault().supportedFileAttributeViews().contains("unix")
          ? "unix:ino,mode,size,ctime,lastModifiedTime"
          : "basic:fileKey,size,lastModifiedTime";

  /** Covers everything below {@code folder}, but not the folder itself. */
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
