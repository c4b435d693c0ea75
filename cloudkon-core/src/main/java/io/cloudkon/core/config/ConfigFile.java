package io.cloudkon.core.config;

import io.cloudkon.core.error.UsageException;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * A properties file whose entries have line numbers. It is UTF-8, with the syntax of {@link
 * Properties}.
 */
final class ConfigFile {
  /** An entry: its value and its location, such as "cloudkon.properties line 3". */
  record Entry(String value, String where) {}

  private ConfigFile() {}

  /**
   * Reads a file.
   *
   * @return the entries by key, in the file's order
   * @throws UsageException if it cannot be read, is malformed, or contains a key twice
   */
  static Map<String, Entry> read(Path file) {
    Map<String, Entry> entries = new LinkedHashMap<>();
    List<String> lines = lines(file);
    for (int i = 0; i < lines.size(); i++) {
      String where = "%s line %d".formatted(file, i + 1);
      StringBuilder logical = new StringBuilder(lines.get(i));
      // a comment cannot be continued, though it may end in a backslash
      while (!isComment(logical) && continued(logical) && i + 1 < lines.size()) {
        logical.append('\n').append(lines.get(++i));
      }
      parse(logical.toString(), where)
          .forEach((key, value) -> {
            Entry first = entries.putIfAbsent(key.toString(), new Entry(value.toString(), where));
            if (first != null) {
              throw new UsageException(
                  "%s: '%s' is already set by %s".formatted(where, key, first.where()));
            }
          });
    }
    return entries;
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (NoSuchFileException e) {
      throw new UsageException("configuration file '%s' does not exist".formatted(file), e);
    } catch (CharacterCodingException e) {
      throw new UsageException("configuration file '%s' is not UTF-8 text".formatted(file), e);
    } catch (IOException e) {
      throw new UsageException("configuration file '%s' cannot be read: %s".formatted(file, e), e);
    }
  }

  private static boolean isComment(CharSequence line) {
    String text = line.toString().stripLeading();
    return text.startsWith("#") || text.startsWith("!");
  }

  private static boolean continued(CharSequence line) {
    int backslashes = 0;
    while (backslashes < line.length() && line.charAt(line.length() - 1 - backslashes) == '\\') {
      backslashes++;
    }
    return backslashes % 2 == 1;
  }

  /**
   * Parses one logical line with the JDK's own parser, so that escapes have their usual meaning.
   */
  private static Properties parse(String logicalLine, String where) {
    Properties one = new Properties();
    try {
      one.load(new StringReader(logicalLine));
    } catch (IOException | IllegalArgumentException e) {
      throw new UsageException("%s: %s".formatted(where, e.getMessage()), e);
    }
    one.forEach((key, value) -> {
      if (value.toString().isBlank()) {
        throw new UsageException(
            "%s: '%s' has no value; expected a line such as: lease = 15s".formatted(where, key));
      }
    });
    return one;
  }
}
