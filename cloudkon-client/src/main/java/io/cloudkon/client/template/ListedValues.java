package io.cloudkon.client.template;

import io.cloudkon.core.error.UsageException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Values from the command line, after {@code :::}. */
record ListedValues(List<String> values) implements ValueSource {
  private static final String NAME = ":::";

  /** The characters of a path or a pattern. */
  private static final Pattern PATTERN = Pattern.compile("[\\w./~+,@%=*?\\[\\]!-]+");

  /** A list of numbers or words, as in JSON and in Python. */
  private static final Pattern LIST = Pattern.compile("\\[[^\\[\\]*?]+(,[^\\[\\]*?]+)+]");

  ListedValues {
    values = List.copyOf(values);
    if (values.isEmpty()) {
      throw new UsageException("no values after :::; expected at least one");
    }
    Optional<String> unmatched = values.stream().filter(ListedValues::isUnmatched).findFirst();
    if (unmatched.isPresent() && values.stream().allMatch(ListedValues::isMeantAsFile)) {
      String pattern = unmatched.get();
      throw new UsageException(
          matchesFiles(pattern)
              ? "::: %s: files match this pattern, but it was not expanded; remove the quotes around it"
                  .formatted(pattern)
              : "::: %s: no file matches; to pass it to the tasks unchanged, use :::: FILE or standard input"
                  .formatted(pattern));
    }
  }

  /**
   * Whether the value is a pattern that matched no file, because a shell passes such a pattern on
   * as it is.
   */
  private static boolean isUnmatched(String value) {
    return isPattern(value) && !isFile(value);
  }

  /** Whether the value may be a pattern; URLs and JSON are not taken for patterns. */
  private static boolean isPattern(String value) {
    return value.chars().anyMatch(c -> c == '*' || c == '?' || c == '[')
        && PATTERN.matcher(value).matches()
        && !LIST.matcher(value).matches();
  }

  /** Whether the value is a file, or would be one if its pattern had matched. */
  private static boolean isMeantAsFile(String value) {
    return isPattern(value) || isFile(value);
  }

  private static boolean isFile(String value) {
    try {
      return Files.exists(Path.of(value), LinkOption.NOFOLLOW_LINKS);
    } catch (InvalidPathException e) {
      return false; // text that is no name here
    }
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
  public OptionalLong size() {
    return OptionalLong.of(values.size());
  }

  @Override
  public Cursor open() {
    Iterator<String> all = values.iterator();
    return () -> all.hasNext() ? all.next() : null;
  }
}
