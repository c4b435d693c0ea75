package io.cloudkon.bench.simulate;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.simulator.Outcome;
import io.cloudkon.simulator.chaos.ChaosRun;
import io.cloudkon.simulator.check.Violation;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs mixed faults by seed and reports the outcomes. Each core runs seeds of its own. */
final class FaultsBySeed {
  /** The number of failures that are shown; further ones are only counted. */
  private static final int SHOWN = 10;

  private static final double PROGRESS_SECONDS = 10;

  private final PrintWriter out;
  private final List<Consistency> modes;
  private final Kind kind;

  /** The kind of simulation in addition to plain tasks and workers. */
  enum Kind {
    TASKS,
    /** HPC jobs; not in at-least-once, which claims jobs like any other tasks. */
    HPC,
    /** A fleet that grows with its queue and shrinks by itself. */
    FLEET,
    /** Workers that can start no task for a while. */
    SICK,
    /** Policies that deny calls of workers and clients. */
    REFUSED,
    /** Runs as published, with one write for each task; in at-most-once. */
    ORIGINAL
  }

  /** The sums over the seeds of one mode. */
  private static final class Sums {
    final TreeMap<Long, String> violations = new TreeMap<>();
    long seeds;
    long tasks;
    long lost;
    long failed;
    long cancelled;
    long duplicates;
    long workers;
    long calls;
    double virtualSeconds;

    synchronized void add(Outcome outcome) {
      seeds++;
      tasks += outcome.tasks();
      lost += outcome.measures().count(TaskStatus.LOST);
      failed += outcome.measures().count(TaskStatus.FAILED);
      cancelled += outcome.measures().count(TaskStatus.CANCELLED);
      duplicates += outcome.measures().duplicates();
      workers += outcome.workers();
      calls += outcome.calls().all();
      virtualSeconds += outcome.endMicros() / 1e6;
    }

    synchronized void violated(long seed, String what) {
      seeds++;
      violations.put(seed, what);
    }

    synchronized long seeds() {
      return seeds;
    }

    synchronized int violated() {
      return violations.size();
    }
  }

  /** A runner for one mode or all modes. */
  FaultsBySeed(PrintWriter out, @Nullable Consistency only, Kind kind) {
    this.out = out;
    this.kind = kind;
    List<Consistency> all =
        Arrays.stream(Consistency.values())
            .filter(mode -> kind != Kind.HPC || mode.claims())
            .toList();
    this.modes = only == null ? all : List.of(only);
  }

  private Outcome chaos(long seed, Consistency mode, @Nullable Consumer<String> trace) {
    return switch (kind) {
      case TASKS -> ChaosRun.run(seed, mode, trace);
      case HPC -> ChaosRun.runHpc(seed, mode, trace);
      case FLEET -> ChaosRun.runFleet(seed, mode, trace);
      case SICK -> ChaosRun.runSick(seed, mode, trace);
      case REFUSED -> ChaosRun.runRefused(seed, mode, trace);
      case ORIGINAL -> ChaosRun.runOriginal(seed, trace);
    };
  }

  /** Runs one seed with a trace; returns the exit code. */
  int trace(long seed) {
    Consistency mode = modes.getFirst();
    try {
      Outcome outcome = chaos(seed, mode, out::println);
      out.printf(
          Locale.ROOT,
          "seed %d, %s: %,d tasks on %d workers, %,d calls; every promise was kept%n",
          seed,
          mode.label(),
          outcome.tasks(),
          outcome.workers(),
          outcome.calls().all());
      return 0;
    } catch (Violation e) {
      out.printf(Locale.ROOT, "seed %d, %s: VIOLATED: %s%n", seed, mode.label(), e.getMessage());
      return 1;
    } finally {
      out.flush();
    }
  }

  /**
   * Runs seeds in each mode, from this one on; returns the exit code.
   *
   * @param count the maximum number of seeds
   * @param within the time limit for all modes together; null for none
   */
  int run(long first, int count, @Nullable Duration within) throws InterruptedException {
    List<Sums> all = new ArrayList<>();
    for (Consistency mode : modes) {
      long nanos = within == null ? Long.MAX_VALUE : within.toNanos() / modes.size();
      all.add(run(mode, first, count, nanos));
    }
    table(all);
    int violated = all.stream().mapToInt(Sums::violated).sum();
    out.println(
        violated == 0
            ? "every promise was kept"
            : "%d of %d seeds broke a promise"
                .formatted(violated, all.stream().mapToLong(Sums::seeds).sum()));
    out.flush();
    return violated == 0 ? 0 : 1;
  }

  private Sums run(Consistency mode, long first, int count, long nanos)
      throws InterruptedException {
    long begun = System.nanoTime();
    Sums sums = new Sums();
    AtomicLong next = new AtomicLong(first);
    AtomicLong told = new AtomicLong(System.nanoTime());
    Callable<Void> loop =
        () -> {
          for (long seed = next.getAndIncrement();
              seed < first + count && System.nanoTime() - begun < nanos;
              seed = next.getAndIncrement()) {
            one(mode, seed, sums);
            progress(mode, count, sums, told);
          }
          return null;
        };
    int threads = Math.min(count, Runtime.getRuntime().availableProcessors());
    try (ExecutorService executor =
        Executors.newFixedThreadPool(threads, Thread.ofPlatform().name("seeds-", 1).factory())) {
      List<Future<Void>> loops = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        loops.add(executor.submit(loop));
      }
      for (Future<Void> future : loops) {
        future.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
    return sums;
  }

  private void one(Consistency mode, long seed, Sums sums) {
    try {
      sums.add(chaos(seed, mode, null));
    } catch (Violation e) {
      String what = String.valueOf(e.getMessage());
      sums.violated(seed, what);
      if (sums.violated() <= SHOWN) {
        say("%s, seed %d: VIOLATED: %s", mode.label(), seed, what);
      }
    }
  }

  private void progress(Consistency mode, int count, Sums sums, AtomicLong told) {
    long last = told.get();
    long now = System.nanoTime();
    if ((now - last) / 1e9 >= PROGRESS_SECONDS && told.compareAndSet(last, now)) {
      String of = count == Integer.MAX_VALUE ? "" : " of %,d".formatted(count);
      say("%s: %,d%s seeds, %d violations", mode.label(), sums.seeds(), of, sums.violated());
    }
  }

  private synchronized void say(String format, Object... values) {
    out.printf(Locale.ROOT, format + "%n", values);
    out.flush();
  }

  private void table(List<Sums> all) {
    out.printf(
        Locale.ROOT,
        "%-14s %9s %10s %11s %9s %9s %10s %10s %9s %12s %12s%n",
        "mode",
        "seeds",
        "violations",
        "tasks",
        "lost",
        "failed",
        "cancelled",
        "duplicates",
        "workers",
        "calls",
        "virtual h");
    for (int i = 0; i < modes.size(); i++) {
      Sums sums = all.get(i);
      out.printf(
          Locale.ROOT,
          "%-14s %,9d %,10d %,11d %,9d %,9d %,10d %,10d %,9d %,12d %,12.1f%n",
          modes.get(i).label(),
          sums.seeds,
          sums.violations.size(),
          sums.tasks,
          sums.lost,
          sums.failed,
          sums.cancelled,
          sums.duplicates,
          sums.workers,
          sums.calls,
          sums.virtualSeconds / 3600);
    }
  }
}
