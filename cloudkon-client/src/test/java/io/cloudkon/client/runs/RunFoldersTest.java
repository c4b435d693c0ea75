package io.cloudkon.client.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.client.report.Journal;
import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Names;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFoldersTest {
  private static final String RESULT = "{\"task\":\"1\",\"index\":0,\"status\":\"SUCCEEDED\"}\n";

  @TempDir private Path temp;

  /** The folder of a run on this machine that was killed after its first result. */
  private Path killed(String run, long startedMillis) throws IOException {
    Path folder = temp.resolve(run);
    RunFolder made = RunFolder.choose(run, Optional.of(folder.toString()), false);
    made.prepare();
    try (Journal journal = made.openJournal()) {
      journal.append(
          List.of(
              new RunHeader(
                  run,
                  "e1",
                  Consistency.EXACTLY_ONCE,
                  ClaimScope.BUNDLE,
                  "c",
                  Names.LOCAL,
                  "d1",
                  "/tasks.jsonl",
                  2,
                  1000,
                  0,
                  0,
                  List.of())));
    }
    Files.writeString(folder.resolve(RunFolder.RESULTS), RESULT);
    Path options = Files.writeString(folder.resolve("cloudkon.json"), "{}");
    Files.setLastModifiedTime(options, FileTime.fromMillis(startedMillis));
    return folder;
  }

  @Test
  void results_of_the_newest_runs_are_counted_where_not_all_can_be() throws IOException {
    List<Path> folders = List.of(killed("b", 2_000), killed("c", 3_000), killed("a", 1_000));

    List<RunSummary> runs = RunFolders.in(folders, 9_000, new ResultCounts(2 * RESULT.length()));

    assertThat(runs).extracting(RunSummary::run).containsExactly("c", "b", "a");
    assertThat(runs)
        .extracting(run -> run.progress() == null ? -1 : run.progress().finished())
        .containsExactly(1L, 1L, -1L);
  }
}
