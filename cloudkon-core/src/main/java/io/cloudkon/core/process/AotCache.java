package io.cloudkon.core.process;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Finds the AOT cache of an executable jar, with which its JVM starts in a third of the time. The
 * cache is next to the jar, where the build creates it, or in the user's cache folder, where an
 * installation's launcher creates it. Its name contains the jar's size, time and build id, and the
 * Java runtime, because the JVM does not check the jar and would run the classes of an older build.
 * Thread safe.
 */
public final class AotCache {
  /** The length of the jar's comment, which is the jar's last bytes. */
  private static final int ID_LENGTH = 16;

  /** The property in which the launcher passes the user's cache folder. */
  private static final String FOLDER = "cloudkon.caches";

  private AotCache() {}

  /**
   * The options with which a JVM of the current Java runtime uses the jar's cache; none if there is
   * no cache for exactly this jar. If the JVM rejects a cache, the start is slower, and nothing is
   * printed on standard output.
   */
  public static List<String> options(Path jar) {
    try {
      String name = name(jar);
      return Stream.concat(
              Stream.of(jar.resolveSibling(name)),
              Stream.ofNullable(System.getProperty(FOLDER)).map(folder -> Path.of(folder, name)))
          .filter(Files::isReadable)
          .findFirst()
          .map(cache -> List.of("-XX:AOTCache=" + cache, "-Xlog:disable", "-Xlog:all=error:stderr"))
          .orElse(List.of());
    } catch (IOException e) {
      return List.of(); // who starts the jar finds out
    }
  }

  private static String name(Path jar) throws IOException {
    return "%s.%s.%s.%s.%s.aot"
        .formatted(
            jar.getFileName().toString().replaceAll("\\.jar$", ""),
            Files.size(jar),
            Files.getLastModifiedTime(jar).to(TimeUnit.SECONDS),
            buildId(jar),
            System.getProperty("java.runtime.version"));
  }

  /** The build id of the jar; some other text if it has none, for which no cache exists. */
  private static String buildId(Path jar) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(jar.toFile(), "r")) {
      byte[] id = new byte[ID_LENGTH];
      file.seek(Math.max(0, file.length() - ID_LENGTH));
      file.readFully(id);
      return new String(id, StandardCharsets.US_ASCII).replaceAll("[^0-9a-f]", "");
    }
  }
}
