package io.cloudkon.client.rerun;

import io.cloudkon.client.report.KeptFile;
import io.cloudkon.client.report.Wording;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.model.Content;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The tasks of a run that are run again.
 *
 * @param workload the run's workload
 * @param selected the tasks to run again
 */
public record Rerun(RunHistory history, Workload workload, TaskSelection.Selected selected) {

  /** The number of its tasks. */
  public int tasks() {
    return selected.tasks().cardinality();
  }

  /** Says how many of its tasks may have run already, although they have no result. */
  public Optional<String> mayHaveRun() {
    int lost = selected.lost();
    if (lost == 0) {
      return Optional.empty();
    }
    String tasks = Wording.count(lost, "task");
    return Optional.of(
        selected.interrupted()
            ? "%s without a result: check those that were running when the run was interrupted, as they may have taken effect"
                .formatted(tasks)
            : "%s LOST or without a result may have run already: check whether %s took effect"
                .formatted(tasks, lost == 1 ? "it" : "they"));
  }

  /** The tasks in JSON Lines, each with the id that it had. */
  public InputStream lines() {
    return new RerunLines(workload, selected.tasks());
  }

  /** The file in its folder that lists its tasks and their run. */
  public KeptFile mark() {
    return RerunFile.of(history.header(), selected.tasks());
  }

  /**
   * The differences between what is shipped now and what the first run shipped.
   *
   * @param ships the files that are shipped now
   * @return one line per difference
   */
  public List<String> changes(List<Content> ships) {
    List<String> changes = new ArrayList<>();
    for (Content now : ships) {
      boolean same =
          history.header().ships().stream().anyMatch(then -> then.sha256().equals(now.sha256()));
      boolean known =
          history.header().ships().stream().anyMatch(then -> then.name().equals(now.name()));
      if (!same) {
        changes.add(
            known
                ? "%s has changed since run '%s' and is shipped as it is now"
                    .formatted(now.name(), history.header().run())
                : "%s is shipped, but was not in run '%s'"
                    .formatted(now.name(), history.header().run()));
      }
    }
    for (Content then : history.header().ships()) {
      if (ships.stream().noneMatch(now -> now.name().equals(then.name()))) {
        changes.add(
            "%s was shipped in run '%s', but is not shipped now; each --ship of a rerun must be given again"
                .formatted(then.name(), history.header().run()));
      }
    }
    return changes;
  }
}
