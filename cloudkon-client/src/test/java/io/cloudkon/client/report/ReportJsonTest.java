package io.cloudkon.client.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cloudkon.core.error.CloudKonException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportJsonTest {
  private static final ObjectMapper JACKSON = new ObjectMapper();

  @TempDir Path folder;

  private final RunReport report =
      Reports.report(Reports.eventful(), Reports.facts(1_234, OptionalLong.empty()));

  private static List<String> keys(JsonNode node) {
    return node.properties().stream().map(java.util.Map.Entry::getKey).toList();
  }

  @Test
  void keys_are_those_of_the_contract_and_some_more() throws IOException {
    JsonNode json = JACKSON.readTree(ReportJson.toJson(report));

    assertThat(keys(json))
        .containsExactly(
            "run",
            "tasks",
            "succeeded",
            "failed",
            "timedOut",
            "lost",
            "cancelled",
            "outstanding",
            "duplicatesDropped",
            "reruns",
            "bundlesTakenOver",
            "retried",
            "makespanSeconds",
            "tasksPerSecond",
            "setUpSeconds",
            "rampUpSeconds",
            "rampDownSeconds",
            "efficiency",
            "efficiencyNominal",
            "stagingShare",
            "latencyMillis",
            "stageMillis",
            "outputsCut",
            "calls",
            "callCostsUsd",
            "costUsd",
            "workers",
            "clientVersion",
            "cluster",
            "consistency",
            "startedAt",
            "endedAt",
            "workload");
    assertThat(keys(json.get("latencyMillis"))).containsExactly("p50", "p90", "p99", "max");
    assertThat(keys(json.get("stageMillis")))
        .containsExactlyElementsOf(Arrays.stream(Stage.values()).map(Stage::key).toList());
    assertThat(keys(json.at("/stageMillis/queue"))).containsExactly("p50", "p90", "p99");
    assertThat(keys(json.get("calls"))).containsExactlyInAnyOrder("sqs", "dynamodb", "s3");
    assertThat(keys(json.at("/workers/0")))
        .containsExactly("id", "slots", "tasks", "busySeconds", "lifeSeconds", "clockOffsetMillis");
  }

  @Test
  void values_are_plain_numbers_and_readable_times() throws IOException {
    JsonNode json = JACKSON.readTree(ReportJson.toJson(report));

    assertThat(json.get("run").asText()).isEqualTo("r-7f3a");
    assertThat(json.get("makespanSeconds").toString()).isEqualTo("12.345678");
    assertThat(json.get("costUsd").toString()).isEqualTo("0.0012628");
    assertThat(json.at("/workers/0/clockOffsetMillis").toString()).isEqualTo("0");
    assertThat(json.get("efficiencyNominal").isNull()).isTrue();
    assertThat(json.get("consistency").asText()).isEqualTo("exactly-once");
    assertThat(json.get("startedAt").asText()).isEqualTo("2027-01-15T08:00:00Z");
    assertThat(json.get("endedAt").asText()).isEqualTo("2027-01-15T08:00:12.345678Z");
    assertThat(json.at("/calls/sqs/ReceiveMessage").asLong()).isEqualTo(77);
    assertThat(json.at("/workload/sha256").asText()).isEqualTo("abc123");
    assertThat(ReportJson.toJson(report)).doesNotContainPattern("[0-9]E-?[0-9]");
  }

  @Test
  void write_replaces_the_old_file_and_leaves_nothing_else() throws IOException {
    Path path = folder.resolve("report.json");
    Files.writeString(path, "old");

    ReportJson.write(path, report);

    assertThat(path).hasContent(ReportJson.toJson(report));
    assertThat(folder).isDirectoryNotContaining("glob:**.tmp");
  }

  @Test
  void a_folder_that_is_gone_is_named() {
    Path path = folder.resolve("gone/report.json");

    assertThatThrownBy(() -> ReportJson.write(path, report))
        .isInstanceOf(CloudKonException.class)
        .hasMessageContaining("gone/report.json");
  }

  @Test
  void gangs_are_there_where_jobs_ran() throws IOException {
    RunStatistics statistics = Reports.withAJob();
    JsonNode json =
        JACKSON.readTree(
            ReportJson.toJson(Reports.report(statistics, Reports.facts(1, OptionalLong.empty()))));

    assertThat(keys(json.get("gangs")))
        .containsExactly("count", "waitMillis", "startMillis", "runMillis");
    assertThat(keys(json.at("/gangs/waitMillis"))).containsExactly("p50", "p90", "p99", "max");
  }
}
