package io.cloudkon.core.process;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Ends processes that this process or its children have started. */
public final class Descendants {
  private static final Duration KILL = Duration.ofSeconds(5);

  private Descendants() {}

  /**
   * Ends every process below this one: by a signal, and by SIGKILL if it does not end within the
   * given time, which all of them share. Returns when they are gone, at the latest 5 s after the
   * kill.
   */
  public static void end(Duration grace) {
    List<ProcessHandle> all = ProcessHandle.current().descendants().toList();
    all.forEach(ProcessHandle::destroy);
    await(all, grace);
    // those that were started meanwhile, too
    List<ProcessHandle> left = ProcessHandle.current().descendants().toList();
    left.forEach(ProcessHandle::destroyForcibly);
    kill(all);
    await(left, KILL);
  }

  /** Kills these processes, and returns when they are gone, at the latest after 5 s. */
  public static void kill(List<ProcessHandle> processes) {
    processes.forEach(ProcessHandle::destroyForcibly);
    await(processes, KILL);
  }

  private static void await(List<ProcessHandle> processes, Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    boolean interrupted = false;
    for (ProcessHandle process : processes) {
      try {
        var unused =
            process.onExit().get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
      } catch (TimeoutException | ExecutionException e) {
        // the caller goes on with those that still live
      } catch (InterruptedException e) {
        interrupted = true;
        break;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
