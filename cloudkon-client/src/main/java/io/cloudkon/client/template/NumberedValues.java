package io.cloudkon.client.template;

import io.cloudkon.core.error.UsageException;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A range of whole numbers, like the indices of a job array: {@code --array 1-500}.
 *
 * @param width the least number of digits; shorter numbers begin with zeros
 */
record NumberedValues(String name, long first, long last, long step, int width)
    implements ValueSource {
  private static final Pattern WRITTEN = Pattern.compile("(\\d{1,18})-(\\d{1,18})(?::(\\d{1,9}))?");

  /** One number, which Slurm accepts. */
  private static final Pattern SINGLE = Pattern.compile("\\d{1,18}");

  /** Numbers and ranges, which Slurm accepts. */
  private static final Pattern LIST = Pattern.compile("[\\d:-]+(?:,[\\d:-]+)+");

  /** Anything with a limit of tasks that run at once, which Slurm accepts. */
  private static final Pattern LIMITED = Pattern.compile("(.*)%(\\d{1,9})");

  private static final int LONGEST_LIST = 40;

  /**
   * Reads the value of {@code --array}.
   *
   * @throws UsageException if it is not a range
   */
  static NumberedValues of(String range) {
    Matcher written = WRITTEN.matcher(range);
    if (!written.matches()) {
      throw refused(range, "expected FIRST-LAST or FIRST-LAST:STEP, such as 1-500" + hint(range));
    }
    long first = Long.parseLong(written.group(1));
    long last = Long.parseLong(written.group(2));
    long step = written.group(3) == null ? 1 : Long.parseLong(written.group(3));
    if (first > last) {
      throw refused(range, "expected the lower number first");
    }
    if (step == 0) {
      throw refused(range, "expected a step of at least 1");
    }
    return new NumberedValues(
        "--array " + range, first, last, step, width(written.group(1), written.group(2)));
  }

  /** As in a range of bash, {@code {001..100}}: if a number is padded, all are, to the longer. */
  private static int width(String first, String last) {
    boolean padded = isPadded(first) || isPadded(last);
    return padded ? Math.max(first.length(), last.length()) : 1;
  }

  private static boolean isPadded(String number) {
    return number.length() > 1 && number.startsWith("0");
  }

  /** A hint at what to write for an array that Slurm accepts; empty if it is none. */
  private static String hint(String range) {
    Matcher limited = LIMITED.matcher(range);
    String numbers = limited.matches() ? limited.group(1) : range;
    String hint = "";
    if (SINGLE.matcher(numbers).matches()) {
      hint = "; %s alone is %1$s-%1$s".formatted(numbers);
    } else if (LIST.matcher(numbers).matches()) {
      hint =
          "; numbers of a list come after the command, as ::: "
              + (numbers.length() > LONGEST_LIST || numbers.indexOf('-') >= 0
                  ? "VALUES"
                  : numbers.replace(',', ' '));
    }
    return limited.matches()
        ? hint
            + "; for %s tasks at once, use -t %1$s here, or worker -t N on a cluster"
                .formatted(limited.group(2))
        : hint;
  }

  private static UsageException refused(String range, String expected) {
    return new UsageException("--array %s: %s".formatted(range, expected));
  }

  @Override
  public OptionalLong size() {
    return OptionalLong.of((last - first) / step + 1);
  }

  @Override
  public Cursor open() {
    return new Cursor() {
      private long next = first;

      @Override
      public @Nullable String next() {
        if (next > last) {
          return null;
        }
        long now = next;
        next += step;
        String digits = Long.toString(now);
        return "0".repeat(Math.max(0, width - digits.length())) + digits;
      }
    };
  }
}
