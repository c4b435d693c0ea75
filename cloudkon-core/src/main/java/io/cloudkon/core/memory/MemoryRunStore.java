package io.cloudkon.core.memory;

import io.cloudkon.core.port.FinishedTasks;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.RunStore;
import java.util.List;
import java.util.Optional;

/** The runs of one cluster in memory. */
final class MemoryRunStore implements RunStore {
  private final MemoryTable<RunEntry> table;

  MemoryRunStore(MemoryTable<RunEntry> table) {
    this.table = table;
  }

  @Override
  public boolean create(RunEntry run) {
    return table.with(runs -> {
      RunEntry current = runs.putIfAbsent(run.run(), run);
      return current == null || run.isShownBy(current);
    });
  }

  @Override
  public Optional<RunEntry> read(String run) {
    return table.with(runs -> Optional.ofNullable(runs.get(run)));
  }

  @Override
  public boolean update(RunEntry run) {
    return table.with(runs -> {
      RunEntry current = runs.get(run.run());
      if (current == null || !run.mayReplace(current)) {
        return current != null && run.isShownBy(current);
      }
      runs.put(run.run(), run.with(current.handedIn()));
      return true;
    });
  }

  @Override
  public boolean takeOver(RunEntry next, RunEntry seen) {
    return table.with(runs -> {
      RunEntry current = runs.get(next.run());
      if (current == null || !next.maySucceed(current, seen)) {
        return current != null && next.isShownBy(current);
      }
      runs.put(next.run(), next.with(current.handedIn()));
      return true;
    });
  }

  @Override
  public Optional<RunEntry> cancel(String run, long now) {
    return table.with(runs ->
        Optional.ofNullable(
            runs.computeIfPresent(
                run,
                (id, current) ->
                    current.state() == RunEntry.State.OPEN ? current.cancelled(now) : current)));
  }

  @Override
  public boolean handIn(String run, FinishedTasks more) {
    FinishedTasks counted = new FinishedTasks(more.tasks(), more.failed(), 0);
    return table.with(runs ->
        runs.computeIfPresent(run, (id, current) -> current.with(current.handedIn().plus(counted)))
            != null);
  }

  @Override
  public List<RunEntry> list() {
    return table.list();
  }
}
