package io.cloudkon.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The processes that have a variable in their environment, as everything has that they start. Linux
 * only: it is read where the kernel shows it.
 *
 * @param name of the variable
 * @param value of the variable, which no other process has
 */
public record Marked(String name, String value) {
  private static final Path PROC = Path.of("/proc");

  /** Those that live now; one that is dead and not yet buried does not. */
  public List<Long> processes() {
    try (Stream<Path> all = Files.list(PROC)) {
      return all.filter(process -> process.getFileName().toString().matches("\\d+"))
          .filter(this::carries)
          .map(process -> Long.valueOf(process.getFileName().toString()))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean carries(Path process) {
    try {
      String variables = "\0" + new String(Files.readAllBytes(process.resolve("environ")), UTF_8);
      return variables.contains("\0%s=%s\0".formatted(name, value));
    } catch (IOException e) {
      return false; // it ended meanwhile, or is another user's
    }
  }
}
