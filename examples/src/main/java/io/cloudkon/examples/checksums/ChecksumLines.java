package io.cloudkon.examples.checksums;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The output of {@code sha256sum}. */
public final class ChecksumLines {
  private static final Pattern LINE = Pattern.compile("([0-9a-f]{64}) [ *](.+)");

  private ChecksumLines() {}

  /** The checksums by file; lines of another form are left out. */
  public static Map<String, String> parse(String text) {
    Map<String, String> checksums = new HashMap<>();
    text.lines()
        .map(LINE::matcher)
        .filter(Matcher::matches)
        .forEach(line -> checksums.put(line.group(2), line.group(1)));
    return checksums;
  }
}
