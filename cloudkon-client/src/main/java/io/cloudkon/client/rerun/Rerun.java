package io.cloudkon.client.rerun;

import io.cloudkon.client.report.KeptFile;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.model.Content;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Some of a run's tasks that are to be run again.
 *
 * @param workload the run's
 * @param chosen their places in it
 */
public record Rerun(RunHistory history, Workload workload, BitSet chosen) {

  /** How many tasks it has. */
  public int tasks() {
    return chosen.cardinality();
  }

  /** The tasks in JSON Lines, each with the id that it had. */
  public InputStream lines() {
    return new RerunLines(workload, chosen);
  }

  /** What its folder says of whose tasks they are. */
  public KeptFile mark() {
    return RerunFile.of(history.header(), chosen);
  }

  /**
   * What tasks will find other than the first run's tasks did.
   *
   * @param ships what is shipped now
   * @return a line each
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
                ? "%s has changed since run '%s', and is shipped as it is now"
                    .formatted(now.name(), history.header().run())
                : "%s is shipped, and was not in run '%s'"
                    .formatted(now.name(), history.header().run()));
      }
    }
    for (Content then : history.header().ships()) {
      if (ships.stream().noneMatch(now -> now.name().equals(then.name()))) {
        changes.add(
            "%s was shipped in run '%s', and is not now"
                .formatted(then.name(), history.header().run()));
      }
    }
    return changes;
  }
}
