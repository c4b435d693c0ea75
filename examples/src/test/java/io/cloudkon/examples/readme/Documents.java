package io.cloudkon.examples.readme;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The documents of the checkout, and the sources that they speak of. */
final class Documents {
  static final Path HOME = Path.of(System.getProperty("cloudkon.home"));
  static final Path REFERENCE = HOME.resolve("docs/reference.md");
  static final Path TROUBLESHOOTING = HOME.resolve("docs/troubleshooting.md");
  static final Path OPERATIONS = HOME.resolve("docs/operations.md");

  private Documents() {}

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The cells of a table's rows, without head and rule: of the first table behind a line. */
  static List<List<String>> table(String document, String after) {
    int from = document.indexOf(after);
    if (from < 0) {
      throw new AssertionError("there is no line: " + after);
    }
    return document
        .substring(from + after.length())
        .lines()
        .dropWhile(line -> !line.startsWith("|"))
        .takeWhile(line -> line.startsWith("|"))
        .skip(2)
        .map(Documents::cells)
        .toList();
  }

  private static List<String> cells(String row) {
    return Stream.of(row.substring(1).split("(?<!\\\\)\\|")).map(String::strip).toList();
  }

  /** What CloudKon is made of: Java sources outside tests, shell scripts, the launcher. */
  static List<Path> sources() {
    try (Stream<Path> all = Files.walk(HOME)) {
      List<Path> found =
          all.filter(Files::isRegularFile)
              .filter(file -> isSource(HOME.relativize(file)))
              .sorted()
              .toList();
      return Stream.concat(found.stream(), Stream.of(HOME.resolve("cloudkon"))).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isSource(Path file) {
    String name = file.toString();
    return name.contains("src/main/") && (name.endsWith(".java") || name.endsWith(".sh"));
  }
}
