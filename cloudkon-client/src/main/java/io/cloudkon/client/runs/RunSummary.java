package io.cloudkon.client.runs;

import io.cloudkon.client.status.RunProgress;
import io.cloudkon.client.status.RunStatus;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.RunLabel;
import io.cloudkon.core.port.WorkerEntry;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;
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
 * @param folder the path of its folder; empty if that is not here
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
    OptionalDouble costUsd,
    Optional<Path> folder) {

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
        OptionalDouble.empty(),
        Optional.empty());
  }

  /** The same summary, with the run's folder and the cost from it. */
  RunSummary with(RunSummary here) {
    return new RunSummary(
        run,
        cluster,
        label,
        open,
        state,
        startedMillis,
        tookMillis,
        tasks,
        progress,
        here.costUsd,
        here.folder);
  }

  /** Whether it has the wanted name, if there is one, and all the wanted tags. */
  public boolean isCalled(RunLabel wanted) {
    return (wanted.name().isEmpty() || wanted.name().equals(label.name()))
        && label.tags().entrySet().containsAll(wanted.tags().entrySet());
  }
}
