package io.cloudkon.client.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.client.report.JournalEntry.BundleRange;
import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.client.workload.Workload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SentWorkloadTest {
  private static final String LINE = "{\"id\":\"%d\",\"noop\":true}\n";

  @TempDir Path folder;

  /** A session of which so many tasks were sent, and the lines that a power failure left. */
  private RunHeader session(int sent, String lines) throws Exception {
    Path spool = Files.writeString(folder.resolve("workload.jsonl"), lines);
    RunHeader header = SampleHeader.of("r", "Q", "spool", spool.toString());
    try (JournalFile journal = JournalFile.create(folder.resolve(RunFolder.JOURNAL))) {
      journal.append(List.of(header, new BundleRange(0, 0, sent, 0, 1, 0)));
    }
    return header;
  }

  @Test
  void session_is_read_up_to_zeros_behind_the_tasks_that_were_sent() throws Exception {
    String lines = LINE.formatted(1) + LINE.formatted(2) + "\0\0\0\n" + LINE.formatted(4);

    try (Workload tasks = SentWorkload.open(session(2, lines), folder).orElseThrow()) {
      assertThat(tasks.knownTasks()).isEqualTo(2);
    }
    assertThat(SentWorkload.open(session(3, lines), folder)).isEmpty();
  }
}
