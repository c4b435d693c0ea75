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
 * @param least no task takes less
 * @param most no task takes more
 * @param spread how they lie between
 */
public record TaskTimes(int least, int most, Spread spread) {
  private static final String LOG_NORMAL = "lognormal:";
  private static final long LONGEST = Duration.ofDays(1).toMillis();

  /** How times lie between their bounds. */
  public enum Spread {
    /** All are the same. */
    SAME,
    /** Each as likely as any other. */
    UNIFORM,
    /** As {@link MixedTasks#logNormal} draws them. */
    LOG_NORMAL
  }

  /** All take as long. */
  public static TaskTimes always(int millis) {
    return new TaskTimes(millis, millis, Spread.SAME);
  }

  /** So many tasks; the same seed gives the same ones. */
  public Tasks tasks(int size, long seed) {
    return switch (spread) {
      case SAME -> new SleepTasks(size, least);
      case UNIFORM -> MixedTasks.uniform(size, least, most, seed);
      case LOG_NORMAL -> MixedTasks.logNormal(size, least, most, seed);
    };
  }

  /** As it is written on the command line. */
  public String label() {
    return switch (spread) {
      case SAME -> least + "ms";
      case UNIFORM -> "%dms..%dms".formatted(least, most);
      case LOG_NORMAL -> "%s%dms..%dms".formatted(LOG_NORMAL, least, most);
    };
  }

  /**
   * Reads {@code 16ms}, {@code 1ms..1s} or {@code lognormal:1ms..1s}.
   *
   * @throws IllegalArgumentException if it is none of them; the message says what was expected
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
          "'%s' is no range; expected a shorter time%s, then a longer one, such as %s1ms..1s"
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

  /** For picocli. */
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
