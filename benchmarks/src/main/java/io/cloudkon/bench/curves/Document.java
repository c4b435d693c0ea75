package io.cloudkon.bench.curves;

import io.cloudkon.core.error.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A Markdown file with tables between {@code <!-- curve: NAME -->} and {@code <!-- end -->}.
 *
 * @param file its path
 */
record Document(Path file) {
  private static final String END = "<!-- end -->";

  /**
   * Checks that the file has a place for the table, before that is computed.
   *
   * @throws UsageException if the file does not exist, or has no such place
   */
  void check(String name) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new UsageException("--document %s: there is no such file".formatted(file));
    }
    var unused = replaced(Files.readString(file), name, "");
  }

  /** Puts a table in its place, replacing the previous one. */
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
