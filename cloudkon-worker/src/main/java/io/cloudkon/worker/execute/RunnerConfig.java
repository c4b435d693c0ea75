package io.cloudkon.worker.execute;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Work;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a worker lets its tasks do. Immutable.
 *
 * @param allowed the kinds it runs ({@code --allow}); default all
 * @param captureBytes how much of each output is kept ({@code --capture}), in bytes; default 64 KiB
 * @param directory where commands start that name no directory of their own; null means a fresh one
 *     for each task, removed afterwards
 * @param guardDeadline how long commands outlive the worker's last heartbeat: lease less clock
 *     margin; default 13 s, at least 100 ms
 */
public record RunnerConfig(
    Set<Work.Kind> allowed, int captureBytes, @Nullable Path directory, Duration guardDeadline) {

  private static final Duration SHORTEST = Duration.ofMillis(100);

  /** Everything allowed, 64 KiB, fresh directories, 13 s. */
  public static final RunnerConfig DEFAULT =
      new RunnerConfig(EnumSet.allOf(Work.Kind.class), 64 * 1024, null, Duration.ofSeconds(13));

  public RunnerConfig {
    allowed = Set.copyOf(allowed);
    if (allowed.isEmpty()) {
      throw new UsageException("--allow: at least one of noop, sleep, exec, java is needed");
    }
    if (captureBytes < 0) {
      throw new UsageException("--capture: must be 0 or more bytes, not " + captureBytes);
    }
    if (guardDeadline.compareTo(SHORTEST) < 0) {
      throw new UsageException(
          "the guard's deadline must be at least 100 ms, not " + guardDeadline.toMillis() + " ms");
    }
  }

  /** The allowed kinds as one writes them on the command line. */
  String allowList() {
    return allowed.stream()
        .sorted()
        .map(kind -> kind.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(","));
  }
}
