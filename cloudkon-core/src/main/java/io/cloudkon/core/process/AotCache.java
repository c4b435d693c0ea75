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
 * Finds the AOT cache of an executable jar, with which its JVM starts in a third of the time. It
 * lies beside the jar, where the build made it, or in the user's folder of caches, where an
 * installation's launcher made it. Its name tells what it was made of: the jar's size, time and
 * build id, and the Java runtime. The JVM checks none of the jar's, and would run the classes of an
 * older build. Thread safe.
 */
public final class AotCache {
  /** The jar's comment, so its last bytes. */
  private static final int ID_LENGTH = 16;

  /** The user's folder, as the launcher tells it. */
  private static final String FOLDER = "cloudkon.caches";

  private AotCache() {}

  /**
   * The options that make a JVM use the jar's cache, for the Java that runs this. None if there is
   * no cache of just this jar. A cache that the JVM refuses leads to a slower start, and to no line
   * on standard output.
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
