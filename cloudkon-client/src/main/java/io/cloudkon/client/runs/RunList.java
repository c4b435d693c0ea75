package io.cloudkon.client.runs;

import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.WorkerEntry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Lists runs, the latest first. Stateless. */
public final class RunList {
  private RunList() {}

  /** The runs whose folders are in this process's directory. */
  public static List<RunSummary> here(long nowMillis) {
    return sorted(RunFolders.here(nowMillis, new ResultCounts(ResultCounts.BYTES)));
  }

  /** The runs that a cluster remembers, and those of its runs whose folders are here. */
  public static List<RunSummary> of(Cluster cluster, long nowMillis) {
    List<RunEntry> entries = cluster.runs().list();
    List<WorkerEntry> workers = entries.isEmpty() ? List.of() : cluster.workers().list();
    Map<String, RunSummary> here =
        RunFolders.here(nowMillis, new ResultCounts(0)).stream()
            .filter(run -> run.cluster().equals(cluster.name()))
            .collect(
                Collectors.toMap(RunSummary::run, Function.identity(), (first, next) -> first));
    List<RunSummary> runs = new ArrayList<>();
    Set<String> known = new HashSet<>();
    for (RunEntry entry : entries) {
      RunSummary folder = here.get(entry.run());
      RunSummary run = RunSummary.of(cluster.name(), entry, workers, nowMillis);
      runs.add(folder == null ? run : run.with(folder));
      known.add(entry.run());
    }
    here.values().stream().filter(run -> !known.contains(run.run())).forEach(runs::add);
    return sorted(runs);
  }

  private static List<RunSummary> sorted(List<RunSummary> runs) {
    return runs.stream()
        .sorted(
            Comparator.comparingLong((RunSummary run) -> run.startedMillis().orElse(0))
                .reversed()
                .thenComparing(RunSummary::run))
        .toList();
  }
}
