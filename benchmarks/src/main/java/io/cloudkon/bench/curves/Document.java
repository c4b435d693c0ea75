package io.cloudkon.bench.curves;

import io.cloudkon.core.error.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A Markdown file in which tables stand between {@code <!-- curve: NAME -->} and {@code <!-- end
 * -->}.
 *
 * @param file where it lies
 */
record Document(Path file) {
  private static final String END = "<!-- end -->";

  /**
   * Checks that it has a place for the table, before that is computed.
   *
   * @throws UsageException if it is not there, or has none
   */
  void check(String name) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new UsageException("--document %s: there is no such file".formatted(file));
    }
    var unused = replaced(Files.readString(file), name, "");
  }

  /** Puts a table there in place of the one before. */
  void put(String name, String markdown) throws IOException {
    Files.writeString(file, replaced(Files.readString(file), name, markdown));
  }

  private String replaced(String text, String name, String markdown) {
    String begin = "<!-- curve: %s -->".formatted(name);
    int from = text.indexOf(begin);
    int to = from < 0 ? -1 : text.indexOf(END, from);
    if (to < 0) {
      throw new UsageException(
          "--document %s: expected lines '%s' and '%s'".formatted(file, begin, END));
    }
    return text.substring(0, from + begin.length()) + "\n\n" + markdown + "\n" + text.substring(to);
  }
}
