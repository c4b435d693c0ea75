package io.cloudkon.client.status;

import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.FinishedTasks;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.WorkerEntry;
import java.util.Collection;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * The progress of a run. Its client counts results; while no client collects the run, its workers
 * say what they have finished, and that is about: what two of them ran counts twice.
 *
 * @param finished tasks that came to their end
 * @param notSucceeded how many of them did not succeed
 * @param about whether that is what workers say
 * @param perSecond tasks that end in a second, lately
 * @param secondsLeft until the last one ends, as things go; empty where nobody can say
 */
public record RunProgress(
    long finished, long notSucceeded, boolean about, double perSecond, OptionalDouble secondsLeft) {

  /**
   * That of a run.
   *
   * @param workers all entries, also of those that died
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
    boolean counted = run.state() != RunEntry.State.OPEN || run.countedAt(nowMillis);
    boolean about = !counted && Math.min(most, said.tasks()) > run.finished();
    long finished = about ? Math.min(most, said.tasks()) : run.finished();
    long good = run.counts().getOrDefault(TaskStatus.SUCCEEDED, 0L);
    long bad = run.finished() - good;
    boolean open = run.state() == RunEntry.State.OPEN;
    // what is not sent yet is sent only where a client is there
    long goesOn = run.collectedAt(nowMillis) ? most : run.sent();
    return new RunProgress(
        finished,
        about ? Math.min(finished, Math.max(bad, said.failed())) : bad,
        about,
        open ? rate : 0,
        open
            ? left(Math.max(0, goesOn - finished), rate, run.remaining().taskMicros(), slots)
            : OptionalDouble.empty());
  }

  /** By the rate; before the first task has ended, by how long one takes. */
  private static OptionalDouble left(long tasks, double rate, double taskMicros, int slots) {
    if (tasks == 0) {
      return OptionalDouble.empty();
    }
    if (rate > 0) {
      return OptionalDouble.of(tasks / rate);
    }
    return taskMicros > 0 && slots > 0
        ? OptionalDouble.of(tasks * taskMicros / 1e6 / slots)
        : OptionalDouble.empty();
  }

  /** {@code 603}, or {@code ~603} where workers say so. */
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
