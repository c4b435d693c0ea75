package io.cloudkon.examples.guide;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Compares what a page shows with what its commands print, but for numbers, ids and layout. */
final class PrintedText {
  private record Mask(Pattern what, String mask) {
    Mask(String regex, String mask) {
      this(Pattern.compile(regex), mask);
    }
  }

  private static final List<Mask> MASKS =
      List.of(
          new Mask("\\b\\d{8}-\\d{6}-[0-9a-z]{6}\\b", "RUN"),
          // workers, clients, bundles and letters
          new Mask("\\b[\\w.]+(-[\\w.]+)*-[0-9a-f]{6,}\\b", "ID"),
          new Mask("\\b(?=[0-9a-f]*\\d)[0-9a-f]{8,}\\b", "ID"),
          new Mask("(?<![\\w.])/[\\w.+-]+(/[\\w.+-]+)+", "PATH"),
          new Mask("(about|less than) (?=\\$)", ""),
          // a worker of root provides them otherwise
          new Mask("\\(files (mounted|reused|copied)\\)", "(files WAY)"),
          new Mask("(\\d[\\d,.]*\\s?(ms|us|s|min|h)\\b\\s*)+", "# "),
          new Mask("\\d[\\d,.]*", "#"),
          new Mask("\\s+", " "));

  private PrintedText() {}

  /**
   * Whether it was printed, in one piece.
   *
   * @param shown has … where it leaves out what was printed
   */
  static boolean isIn(String printed, String shown) {
    return isIn(printed, shown, PrintedText::masked);
  }

  /** The same, where numbers count, too: only the layout may differ. */
  static boolean isExactlyIn(String printed, String shown) {
    return isIn(printed, shown, text -> text.replaceAll("\\s+", " ").strip());
  }

  private static boolean isIn(String printed, String shown, UnaryOperator<String> masked) {
    String pattern =
        Stream.of(shown.split("…", -1))
            .map(masked)
            .map(Pattern::quote)
            .collect(Collectors.joining(".*?"));
    return Pattern.compile(pattern).matcher(masked.apply(printed)).find();
  }

  /** One line without what differs from run to run. */
  static String masked(String text) {
    String masked = text;
    for (Mask mask : MASKS) {
      masked = mask.what().matcher(masked).replaceAll(mask.mask());
    }
    return masked.strip();
  }
}
