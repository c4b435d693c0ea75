package io.cloudkon.core.process;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Ends processes that this process or its children have started. */
public final class Descendants {
  private static final Duration KILL = Duration.ofSeconds(5);

  private Descendants() {}

  /**
   * Ends the processes below this one: by a signal, and by SIGKILL if they do not end within the
   * given time, which all of them share. Those that are started in that time are killed at its end.
   * Returns when they are gone, at the latest 5 s after the kill, or at once, with the thread's
   * interrupt flag set, if it is interrupted; then they are killed without being waited for.
   *
   * <p>Does not find processes whose parent had ended when this began, or that are started
   * meanwhile by one that ends: the system has given those another parent.
   */
  public static void end(Duration grace) {
    end(ProcessHandle.current(), grace);
  }

  /** Likewise for the processes below another one. */
  static void end(ProcessHandle parent, Duration grace) {
    List<ProcessHandle> all = parent.descendants().toList();
    all.forEach(ProcessHandle::destroy);
    await(all, grace);
    kill(Stream.concat(all.stream(), parent.descendants()).toList());
  }

  /**
   * Kills these processes, and returns when they are gone, at the latest after 5 s; at once if the
   * thread is interrupted.
   */
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
