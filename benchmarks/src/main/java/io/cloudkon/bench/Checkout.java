package io.cloudkon.bench;

import io.cloudkon.core.error.UsageException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The locations of programs and jars in the checkout. */
final class Checkout {
  private static final String EMULATOR = "localstack/target/cloudkon-local.jar";

  /** The modules that make a jar of their own, by their package. */
  private static final Map<String, String> PROGRAMS =
      Map.of(
          "io.cloudkon.worker.", "cloudkon-worker",
          "io.cloudkon.provisioner.", "cloudkon-provisioner");

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

  /**
   * The jar from which users run this program, or that of the client for a program of the
   * benchmarks. With it before the class path of this process the program has the same classes, and
   * the jar's AOT cache holds. Empty if this process does not run from its own jar, as in a test:
   * then the jars may be older than its classes.
   */
  static Optional<Path> jarBefore(String classPath, Path home, Class<?> main) {
    if (!classPath.endsWith(".jar") || classPath.contains(File.pathSeparator)) {
      return Optional.empty();
    }
    String module =
        PROGRAMS.entrySet().stream()
            .filter(program -> main.getName().startsWith(program.getKey()))
            .map(Map.Entry::getValue)
            .findFirst()
            .orElse("cloudkon-client");
    Path jar = home.resolve(module).resolve("target").resolve(module + ".jar");
    return Optional.of(jar).filter(Files::isRegularFile);
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
