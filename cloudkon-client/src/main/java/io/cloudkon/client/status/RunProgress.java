package io.cloudkon.client.status;

import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.FinishedTasks;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.WorkerEntry;
import java.util.Collection;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * The progress of a run, as its client counts results. While no client collects the run, the counts
 * are those of its workers. They are approximate: a task that two workers ran counts twice.
 *
 * @param finished the number of finished tasks
 * @param notSucceeded the number of those that did not succeed
 * @param about whether the counts are the approximate ones of the workers
 * @param perSecond the recent number of tasks that end per second
 * @param secondsLeft the estimated time until the last task ends; empty if unknown
 */
public record RunProgress(
    long finished, long notSucceeded, boolean about, double perSecond, OptionalDouble secondsLeft) {

  /**
   * The progress of a run.
   *
   * @param workers all entries, including those of dead workers
   * @param nowMillis service clock, epoch milliseconds
   */
  public static RunProgress of(RunEntry run, Collection<WorkerEntry> workers, long nowMillis) {
    FinishedTasks said = run.handedIn();
    double rate = 0;
    int slots = 0;
    for (WorkerEntry worker : workers) {
      FinishedTasks of = worker.finished().getOrDefault(run.run(), FinishedTasks.NONE);
      said = said.plus(of);
      if (worker.livesAt(nowMillis)) {
        rate += of.perSecond();
        slots += worker.slots();
      }
    }
    long most = run.tasks();
    boolean counted =
        switch (run.state()) {
          case ENDED -> true;
          case CANCELLED -> run.leaseEnd() > nowMillis;
          case OPEN -> run.countedAt(nowMillis);
        };
    boolean about = !counted && Math.min(most, said.tasks()) > run.finished();
    long finished = about ? Math.min(most, said.tasks()) : run.finished();
    long good = run.counts().getOrDefault(TaskStatus.SUCCEEDED, 0L);
    long bad = run.finished() - good;
    boolean open = run.state() == RunEntry.State.OPEN;
    // tasks that are not sent yet are sent only if there is a client
    long goesOn = run.collectedAt(nowMillis) ? most : run.sent();
    return new RunProgress(
        finished,
        about ? Math.min(finished, Math.max(bad, said.failed())) : bad,
        about,
        open ? rate : 0,
        open
            ? left(Math.max(0, goesOn - finished), rate, run.remaining(), slots)
            : OptionalDouble.empty());
  }

  /**
   * The time left according to the rate, or before the first task has ended, to the durations of
   * tasks and jobs.
   */
  private static OptionalDouble left(long tasks, double rate, RemainingWork remaining, int slots) {
    if (tasks == 0) {
      return OptionalDouble.empty();
    }
    if (rate > 0) {
      return OptionalDouble.of(tasks / rate);
    }
    double slotMicros = remaining.slotMicros(tasks);
    return slotMicros > 0 && slots > 0
        ? OptionalDouble.of(slotMicros / 1e6 / slots)
        : OptionalDouble.empty();
  }

  /** Text such as {@code 603}, or {@code ~603} if it is approximate. */
  public String number() {
    return (about ? "~" : "") + Say.number(finished);
  }

  /** Rate and time left, such as {@code 12.5 tasks/s, about 3 min left}; empty if unknown. */
  public String pace() {
    String rate =
        perSecond > 0
            ? String.format(Locale.ROOT, perSecond < 99.5 ? "%.3g" : "%,.0f", perSecond)
                + " tasks/s"
            : "";
    String left =
        secondsLeft.isPresent()
            ? "about %s left".formatted(Say.span(Math.round(secondsLeft.getAsDouble() * 1000)))
            : "";
    return rate.isEmpty() || left.isEmpty() ? rate + left : rate + ", " + left;
  }
}
