package io.cloudkon.bench.simulate;

import io.cloudkon.core.config.Durations;
import io.cloudkon.simulator.load.MixedTasks;
import io.cloudkon.simulator.load.SleepTasks;
import io.cloudkon.simulator.load.Tasks;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The durations of {@code --duration}. Bounds are in milliseconds.
 *
 * @param least the minimum duration
 * @param most the maximum duration
 * @param spread the distribution in between
 */
public record TaskTimes(int least, int most, Spread spread) {
  private static final String LOG_NORMAL = "lognormal:";
  private static final long LONGEST = Duration.ofDays(1).toMillis();

  /** The distribution of durations between their bounds. */
  public enum Spread {
    /** All durations are equal. */
    SAME,
    /** Uniformly distributed. */
    UNIFORM,
    /** Log-normal, as drawn by {@link MixedTasks#logNormal}. */
    LOG_NORMAL
  }

  /** Equal durations. */
  public static TaskTimes always(int millis) {
    return new TaskTimes(millis, millis, Spread.SAME);
  }

  /** Creates this number of tasks; always the same for the same seed. */
  public Tasks tasks(int size, long seed) {
    return switch (spread) {
      case SAME -> new SleepTasks(size, least);
      case UNIFORM -> MixedTasks.uniform(size, least, most, seed);
      case LOG_NORMAL -> MixedTasks.logNormal(size, least, most, seed);
    };
  }

  /** The durations in command-line syntax. */
  public String label() {
    return switch (spread) {
      case SAME -> least + "ms";
      case UNIFORM -> "%dms..%dms".formatted(least, most);
      case LOG_NORMAL -> "%s%dms..%dms".formatted(LOG_NORMAL, least, most);
    };
  }

  /**
   * Parses {@code 16ms}, {@code 1ms..1s} or {@code lognormal:1ms..1s}.
   *
   * @throws IllegalArgumentException if the text has another form; the message says what was
   *     expected
   */
  static TaskTimes parse(String text) {
    boolean logNormal = text.startsWith(LOG_NORMAL);
    String range = logNormal ? text.substring(LOG_NORMAL.length()) : text;
    int dots = range.indexOf("..");
    if (dots < 0) {
      if (logNormal) {
        throw new IllegalArgumentException(
            "'%s' has no range; expected one such as lognormal:1ms..1s".formatted(text));
      }
      return always(millis(range));
    }
    int least = millis(range.substring(0, dots));
    int most = millis(range.substring(dots + 2));
    if (least >= most || (logNormal && least == 0)) {
      throw new IllegalArgumentException(
          "'%s' is not a range; expected a shorter time%s, then a longer one, such as %s1ms..1s"
              .formatted(text, logNormal ? " above 0" : "", logNormal ? LOG_NORMAL : ""));
    }
    return new TaskTimes(least, most, logNormal ? Spread.LOG_NORMAL : Spread.UNIFORM);
  }

  private static int millis(String text) {
    Duration time = Durations.parse(text);
    if (time.toMillis() > LONGEST || time.toNanos() % 1_000_000 != 0) {
      throw new IllegalArgumentException(
          "'%s': expected whole milliseconds, at most a day".formatted(text));
    }
    return (int) time.toMillis();
  }

  /** The converter for picocli. */
  static final class Converter implements ITypeConverter<TaskTimes> {
    @Override
    public TaskTimes convert(String value) {
      try {
        return parse(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    }
  }
}
