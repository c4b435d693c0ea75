package io.cloudkon.simulator.cloud;

import io.cloudkon.core.port.FinishedTasks;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.RunStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;

/** The simulated table of runs behind the port. It remembers which runs there could be. */
final class PortedRuns implements RunStore {
  private final SimCluster cluster;
  private final @Nullable String missing;
  private final SimRuns runs;
  private final Set<String> ids = new ConcurrentSkipListSet<>();
  private final Map<String, FinishedTasks> handedIn = new ConcurrentHashMap<>();

  /**
   * The runs.
   *
   * @param missing see {@link PortedClaims}
   */
  PortedRuns(SimCluster cluster, @Nullable String missing, SimRuns runs) {
    this.cluster = cluster;
    this.missing = missing;
    this.runs = runs;
  }

  private void touch(String run) {
    if (missing != null) {
      throw new MissingResourceException("table", missing + "-runs", null);
    }
    ids.add(run);
  }

  @Override
  public boolean create(RunEntry run) {
    touch(run.run());
    return cluster.call((caller, reply) -> runs.create(caller, run, reply));
  }

  @Override
  public Optional<RunEntry> read(String run) {
    touch(run);
    RunEntry found = cluster.call((caller, reply) -> runs.read(caller, run, reply));
    return found.holder().isEmpty() ? Optional.empty() : Optional.of(shown(found));
  }

  private RunEntry shown(RunEntry found) {
    return found.with(handedIn.getOrDefault(found.run(), FinishedTasks.NONE));
  }

  /** Simulated workers hand nothing in, as no simulated user looks at it. */
  @Override
  public boolean handIn(String run, FinishedTasks more) {
    boolean known = read(run).isPresent();
    if (known) {
      FinishedTasks counted = new FinishedTasks(more.tasks(), more.failed(), 0);
      handedIn.merge(run, counted, FinishedTasks::plus);
    }
    return known;
  }

  @Override
  public boolean update(RunEntry run) {
    touch(run.run());
    return cluster.call((caller, reply) -> runs.update(caller, run, reply));
  }

  @Override
  public boolean takeOver(RunEntry next, RunEntry seen) {
    touch(next.run());
    return cluster.call((caller, reply) -> runs.takeOver(caller, next, seen, reply));
  }

  @Override
  public Optional<RunEntry> cancel(String run, long now) {
    touch(run);
    boolean unused = runs.cancel(run, now);
    return read(run);
  }

  @Override
  public List<RunEntry> list() {
    return ids.stream().map(this::read).flatMap(Optional::stream).toList();
  }
}
