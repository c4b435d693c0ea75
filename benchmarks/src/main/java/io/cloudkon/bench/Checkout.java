package io.cloudkon.bench;

import io.cloudkon.core.error.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The locations of programs and jars in the checkout. */
final class Checkout {
  private static final String EMULATOR = "localstack/target/cloudkon-local.jar";

  private Checkout() {}

  /** The checkout's folder as given by the launcher, or else the current folder. */
  static Path home() {
    String told = System.getProperty("cloudkon.home");
    return told == null ? Path.of("").toAbsolutePath() : Path.of(told);
  }

  /** A folder of the checkout, also searched for relative to the parent of {@code home}. */
  static Path folder(Path home, String path) {
    return Stream.of(home, home.resolve(".."))
        .map(folder -> folder.resolve(path).normalize())
        .filter(Files::isDirectory)
        .findFirst()
        .orElse(home.resolve(path));
  }

  /** The emulator's jar. */
  static Path emulator(Path home) {
    return Stream.of(home, home.resolve(".."))
        .map(folder -> folder.resolve(EMULATOR).normalize())
        .filter(Files::isRegularFile)
        .findFirst()
        .orElseThrow(() ->
            new UsageException(
                "%s is missing; build it: mvn -DskipTests package, or use ./cloudkon bench"
                    .formatted(home.resolve(EMULATOR))));
  }

  /** Removes a folder with its contents. */
  static void remove(Path folder) throws IOException {
    List<Path> all;
    try (Stream<Path> walk = Files.walk(folder)) {
      all = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : all) {
      Files.deleteIfExists(path);
    }
  }
}
