package io.cloudkon.client.runs;

import io.cloudkon.client.status.RunProgress;
import io.cloudkon.client.status.RunStatus;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.RunLabel;
import io.cloudkon.core.port.WorkerEntry;
import java.util.Collection;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One run in a list. Immutable.
 *
 * @param cluster its request queue's name, or {@code LOCAL}
 * @param open whether it is neither ended nor cancelled
 * @param state in one word
 * @param startedMillis epoch milliseconds
 * @param tookMillis from its start to its end, or until now
 * @param tasks the number of tasks; negative if unknown
 * @param progress its progress; null if unknown here
 * @param costUsd its cost in US dollars, including its workers' machines; empty if its report is
 *     not here
 */
public record RunSummary(
    String run,
    String cluster,
    RunLabel label,
    boolean open,
    String state,
    OptionalLong startedMillis,
    OptionalLong tookMillis,
    long tasks,
    @Nullable RunProgress progress,
    OptionalDouble costUsd) {

  /** The summary of a run that its cluster remembers. */
  static RunSummary of(
      String cluster, RunEntry run, Collection<WorkerEntry> workers, long nowMillis) {
    boolean open = run.state() == RunEntry.State.OPEN;
    long end = open ? nowMillis : run.updatedMillis();
    return new RunSummary(
        run.run(),
        cluster,
        run.label(),
        open,
        RunStatus.of(run, nowMillis).word(),
        OptionalLong.of(run.createdMillis()),
        OptionalLong.of(Math.max(0, end - run.createdMillis())),
        run.tasks(),
        RunProgress.of(run, workers, nowMillis),
        OptionalDouble.empty());
  }

  /** The same summary, with the cost from the run's folder. */
  RunSummary with(OptionalDouble cost) {
    return new RunSummary(
        run, cluster, label, open, state, startedMillis, tookMillis, tasks, progress, cost);
  }

  /** Whether it has the wanted name, if there is one, and all the wanted tags. */
  public boolean isCalled(RunLabel wanted) {
    return (wanted.name().isEmpty() || wanted.name().equals(label.name()))
        && label.tags().entrySet().containsAll(wanted.tags().entrySet());
  }
}
