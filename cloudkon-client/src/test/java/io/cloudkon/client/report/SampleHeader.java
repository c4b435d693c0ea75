package io.cloudkon.client.report;

import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import java.util.List;

/** Headers of runs with default settings, and journals that hold nothing else. */
public final class SampleHeader {
  private SampleHeader() {}

  /** The header of a run of two tasks. */
  public static RunHeader of(String run, String queue, String digest, String workload) {
    return new RunHeader(
        run,
        "e",
        Consistency.EXACTLY_ONCE,
        ClaimScope.BUNDLE,
        "c",
        queue,
        digest,
        workload,
        2,
        65_536,
        0,
        0,
        List.of());
  }

  /** Makes the folder of a run, with a journal. */
  public static void write(RunFolder folder, RunHeader header) {
    folder.prepare();
    append(folder, header);
  }

  /** Writes to the journal of a folder that stands. */
  static void append(RunFolder folder, RunHeader header) {
    try (Journal journal = folder.openJournal()) {
      journal.append(List.of(header));
    }
  }
}
