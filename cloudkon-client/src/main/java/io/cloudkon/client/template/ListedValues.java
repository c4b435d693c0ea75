package io.cloudkon.client.template;

import io.cloudkon.core.error.UsageException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;

/** Values that stand on the command line, behind {@code :::}. */
record ListedValues(List<String> values) implements ValueSource {
  private static final String NAME = ":::";

  /** A path's letters, and a pattern's. */
  private static final Pattern PATTERN = Pattern.compile("[\\w./~+,@%=*?\\[\\]!-]+");

  ListedValues {
    values = List.copyOf(values);
    if (values.isEmpty()) {
      throw new UsageException("no values after :::; expected at least one");
    }
    if (values.stream().allMatch(ListedValues::isUnmatched)) {
      throw new UsageException(
          "::: %s: no file matches; to give it to the tasks as it is, send it through :::: FILE or standard input"
              .formatted(values.getFirst()));
    }
  }

  /** A shell leaves a pattern as it is where nothing matches it. URLs and JSON are none. */
  private static boolean isUnmatched(String value) {
    return PATTERN.matcher(value).matches()
        && value.chars().anyMatch(c -> c == '*' || c == '?' || c == '[')
        && !Files.exists(Path.of(value), LinkOption.NOFOLLOW_LINKS);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Cursor open() {
    Iterator<String> all = values.iterator();
    return () -> all.hasNext() ? all.next() : null;
  }
}
