package io.cloudkon.provisioner.launch;

import io.cloudkon.core.time.TimeSource;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Processes whose groups were sent SIGTERM, with the time at which they are killed. */
final class Terminations {
  private static final Logger LOG = LoggerFactory.getLogger(Terminations.class);
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final TimeSource time;
  private final Map<String, Long> killAt = new HashMap<>();

  Terminations(TimeSource time) {
    this.time = time;
  }

  boolean asked(String instance) {
    return killAt.containsKey(instance);
  }

  void ask(String instance, StartedProcess process) {
    if (killAt.putIfAbsent(instance, time.monotonicNanos() + GRACE_NANOS) == null) {
      signal("TERM", process);
    }
  }

  /**
   * Kills the processes whose grace period is over.
   *
   * @param living returns the process of an instance while it is alive
   */
  void insist(Function<String, Optional<StartedProcess>> living) {
    long now = time.monotonicNanos();
    for (Map.Entry<String, Long> entry : List.copyOf(killAt.entrySet())) {
      Optional<StartedProcess> process = living.apply(entry.getKey());
      if (process.isEmpty()) {
        killAt.remove(entry.getKey());
      } else if (now - entry.getValue() >= 0) {
        signal("KILL", process.get());
      }
    }
  }

  private static void signal(String name, StartedProcess process) {
    List<String> command = List.of("kill", "-s", name, "--", "-" + process.pid());
    try {
      Process kill =
          new ProcessBuilder(command)
              .redirectOutput(Redirect.DISCARD)
              .redirectError(Redirect.DISCARD)
              .start();
      boolean unused = kill.waitFor(GRACE_NANOS, TimeUnit.NANOSECONDS);
    } catch (IOException e) {
      LOG.warn("process group {} cannot be sent SIG{}", process.pid(), name, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
