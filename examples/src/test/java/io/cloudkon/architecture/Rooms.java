package io.cloudkon.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The modules' compiled classes, read from their folders: localstack's dependencies must never
 * stand on the class path of another module, not even for a test.
 */
final class Rooms {

  /** Each room's package, and the rooms it may import. */
  static final Map<String, Set<String>> IMPORTS =
      Map.of(
          "io.cloudkon.launch", Set.of(),
          "io.cloudkon.core", Set.of(),
          "io.cloudkon.local", Set.of(),
          "io.cloudkon.hpc", Set.of("io.cloudkon.core"),
          "io.cloudkon.simulator", Set.of("io.cloudkon.core"),
          "io.cloudkon.worker", Set.of("io.cloudkon.core", "io.cloudkon.hpc"),
          "io.cloudkon.provisioner", Set.of("io.cloudkon.core", "io.cloudkon.hpc"),
          "io.cloudkon.client",
              Set.of(
                  "io.cloudkon.core",
                  "io.cloudkon.hpc",
                  "io.cloudkon.simulator",
                  "io.cloudkon.worker"),
          "io.cloudkon.bench",
              Set.of(
                  "io.cloudkon.core",
                  "io.cloudkon.hpc",
                  "io.cloudkon.simulator",
                  "io.cloudkon.worker",
                  "io.cloudkon.provisioner",
                  "io.cloudkon.client"),
          "io.cloudkon.examples",
              Set.of(
                  "io.cloudkon.core",
                  "io.cloudkon.hpc",
                  "io.cloudkon.worker",
                  "io.cloudkon.client"));

  /** The classes of other rooms that a room compiles along, without the rest of their room. */
  static final Map<String, Set<String>> COMPILED_ALONG =
      Map.of(
          "io.cloudkon.local",
          Set.of(
              "io.cloudkon.core.process.AotCache",
              "io.cloudkon.core.config.Durations",
              "io.cloudkon.core.config.Durations$WithUnit"));

  private Rooms() {}

  /** Every class of the project's main sources. */
  static JavaClasses mainClasses() {
    return classesIn("classes");
  }

  /** Every class of the project's tests. */
  static JavaClasses testClasses() {
    return classesIn("test-classes");
  }

  /** The room a class belongs to, or its package where it is in none. */
  static String roomOf(JavaClass type) {
    return IMPORTS.keySet().stream()
        .filter(room -> (type.getPackageName() + ".").startsWith(room + "."))
        .findFirst()
        .orElse(type.getPackageName());
  }

  private static JavaClasses classesIn(String folder) {
    Path home = Path.of(System.getProperty("cloudkon.home"));
    try (Stream<Path> modules = Files.list(home)) {
      List<Path> found =
          modules
              .map(module -> module.resolve("target").resolve(folder))
              .filter(Files::isDirectory)
              .toList();
      return new ClassFileImporter().importPaths(found);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
