package io.cloudkon.examples.mixed;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.examples.commands.Ended;
import io.cloudkon.examples.commands.ExampleReadme;
import io.cloudkon.examples.commands.Workspace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MixedIT {
  @TempDir private Path folder;

  @Test
  void tasks_and_jobs_of_one_file_have_a_line_each() throws Exception {
    Workspace workspace = new Workspace(folder);

    Ended ended = workspace.run(ExampleReadme.of("mixed").blockWith("-s LOCAL")).requireSuccess();

    assertThat(ended.linesAfterReport())
        .containsExactly(
            "4",
            "\"stdout\":\"rank 0 of 4\\n\"",
            "\"stdout\":\"rank 1 of 4\\n\"",
            "\"stdout\":\"rank 2 of 4\\n\"",
            "\"stdout\":\"rank 3 of 4\\n\"");
    List<String> results = Files.readAllLines(workspace.file("mixed/results.jsonl"));
    assertThat(results).hasSize(16).allMatch(line -> line.contains("\"status\":\"SUCCEEDED\""));
    // 1, 5, 9 ... 997
    assertThat(results).anyMatch(line -> line.contains("\"stdout\":\"124750\\n\""));
  }
}
