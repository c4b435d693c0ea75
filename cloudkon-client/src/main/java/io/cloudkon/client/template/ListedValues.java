package io.cloudkon.client.template;

import io.cloudkon.core.error.UsageException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Values from the command line, after {@code :::}. */
record ListedValues(List<String> values) implements ValueSource {
  private static final String NAME = ":::";

  /** The characters of a path or a pattern. */
  private static final Pattern PATTERN = Pattern.compile("[\\w./~+,@%=*?\\[\\]!-]+");

  ListedValues {
    values = List.copyOf(values);
    if (values.isEmpty()) {
      throw new UsageException("no values after :::; expected at least one");
    }
    if (values.stream().allMatch(ListedValues::isUnmatched)) {
      String first = values.getFirst();
      throw new UsageException(
          matchesFiles(first)
              ? "::: %s: files match this pattern, but it was not expanded; remove the quotes around it"
                  .formatted(first)
              : "::: %s: no file matches; to pass it to the tasks unchanged, use :::: FILE or standard input"
                  .formatted(first));
    }
  }

  /**
   * Whether the value is a pattern that matched no file, because a shell passes such a pattern on
   * as it is. URLs and JSON are not taken for patterns.
   */
  private static boolean isUnmatched(String value) {
    return PATTERN.matcher(value).matches()
        && value.chars().anyMatch(c -> c == '*' || c == '?' || c == '[')
        && !Files.exists(Path.of(value), LinkOption.NOFOLLOW_LINKS);
  }

  /** Whether a shell would have found files; looks only at patterns in a path's last part. */
  private static boolean matchesFiles(String pattern) {
    Path path = Path.of(pattern);
    Path folder = Objects.requireNonNullElse(path.getParent(), Path.of(""));
    try (DirectoryStream<Path> found =
        Files.newDirectoryStream(folder, String.valueOf(path.getFileName()))) {
      return found.iterator().hasNext();
    } catch (IOException | PatternSyntaxException e) {
      return false;
    }
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
