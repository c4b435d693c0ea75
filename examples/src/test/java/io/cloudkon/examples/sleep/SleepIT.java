package io.cloudkon.examples.sleep;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cloudkon.examples.commands.Ended;
import io.cloudkon.examples.commands.ExampleReadme;
import io.cloudkon.examples.commands.Workspace;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SleepIT {
  @TempDir private Path folder;

  @Test
  void short_workload_of_unequal_tasks_runs_in_process_and_reports_its_efficiency()
      throws Exception {
    Workspace workspace = new Workspace(folder);

    Ended ended = workspace.run(ExampleReadme.of("sleep").blockWith("-s LOCAL")).requireSuccess();

    assertThat(ended.stdout()).contains("200 succeeded", "Efficiency");
    assertThat(Files.readAllLines(workspace.file("mixed/results.jsonl"))).hasSize(200);
    JsonNode report = new ObjectMapper().readTree(workspace.file("mixed/report.json").toFile());
    assertThat(report.path("succeeded").asInt()).isEqualTo(200);
    assertThat(report.path("efficiencyNominal").asDouble()).isPositive();
  }
}
