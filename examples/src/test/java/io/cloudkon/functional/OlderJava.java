package io.cloudkon.functional;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds a Java that is too old for CloudKon: on the PATH, or beside the one that runs this. */
final class OlderJava {
  private static final Pattern VERSION = Pattern.compile("JAVA_VERSION=\"(?:1\\.)?(\\d+)");
  private static final int NEEDED = 25;

  private OlderJava() {}

  /** Their {@code java} programs; none where all are new enough. */
  static List<Path> found() {
    Path here = Path.of(System.getProperty("java.home"));
    Stream<Path> onPath =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .map(folder -> Path.of(folder).resolve("java"));
    Stream<Path> beside =
        children(Objects.requireNonNullElse(here.getParent(), here)).stream()
            .map(home -> home.resolve("bin").resolve("java"));
    return Stream.concat(onPath, beside)
        .filter(Files::isExecutable)
        .filter(OlderJava::isOld)
        .toList();
  }

  private static List<Path> children(Path folder) {
    try (Stream<Path> homes = Files.list(folder)) {
      return homes.toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** By the file {@code release} of its home, as {@code java -version} takes a second. */
  private static boolean isOld(Path java) {
    try {
      Path release = java.toRealPath().resolveSibling("..").resolve("release").normalize();
      if (!Files.isReadable(release)) {
        return false;
      }
      Matcher version = VERSION.matcher(Files.readString(release));
      return version.find() && Integer.parseInt(version.group(1)) < NEEDED;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
