package io.cloudkon.core.process;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Finds the AOT cache that the build made of an executable jar, with which its JVM starts in a
 * third of the time. It lies beside the jar, and its name tells what it was made of: the jar's
 * size, time and build id, and the Java runtime. The JVM checks none of the jar's, and would run
 * the classes of an older build. Thread safe.
 */
public final class AotCache {
  /** The jar's comment, so its last bytes. */
  private static final int ID_LENGTH = 16;

  private AotCache() {}

  /**
   * The options that make a JVM use the jar's cache, for the Java that runs this. None if there is
   * no cache of just this jar. A cache that the JVM refuses leads to a slower start, and to no line
   * on standard output.
   */
  public static List<String> options(Path jar) {
    try {
      Path cache = jar.resolveSibling(name(jar));
      return Files.isReadable(cache)
          ? List.of("-XX:AOTCache=" + cache, "-Xlog:disable", "-Xlog:all=error:stderr")
          : List.of();
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

  /** Anything but an id if the jar has none; then there is no cache of that name. */
  private static String buildId(Path jar) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(jar.toFile(), "r")) {
      byte[] id = new byte[ID_LENGTH];
      file.seek(Math.max(0, file.length() - ID_LENGTH));
      file.readFully(id);
      return new String(id, StandardCharsets.US_ASCII).replaceAll("[^0-9a-f]", "");
    }
  }
}
