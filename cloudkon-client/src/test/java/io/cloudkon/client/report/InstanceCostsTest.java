package io.cloudkon.client.report;

import static io.cloudkon.client.report.Samples.T0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cloudkon.core.model.ResultBatch.WorkerId;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What the machines that served a run cost, as its report says. */
class InstanceCostsTest {
  private static final long HALF_AN_HOUR = 1_800_000_000L;

  private final RunStatistics statistics = new RunStatistics(T0, calls -> 0);
  private int tasks;

  private void served(String worker, String type, String lifeCycle) {
    List<TaskResult> one = Samples.succeeded(tasks, tasks + 1);
    statistics.accept(
        Samples.on(Samples.batch(worker, tasks, 1, one), type, lifeCycle), Samples.times(), one, 0);
    tasks++;
  }

  private RunReport report() {
    return statistics.report(
        Reports.facts(tasks, OptionalLong.empty()), List.of(), T0 + HALF_AN_HOUR);
  }

  private static String text(RunReport report) {
    return ShortReport.text(report, List.of(), Optional.empty());
  }

  @Test
  void machines_cost_their_hourly_price_for_as_long_as_they_lived_within_the_run() {
    served("a", "c7i.large", "on-demand");
    served("b", "m7i.large", "on-demand");
    served("b", "m7i.large", "on-demand");
    served("c", "c99.huge", "on-demand");
    served("d", "process", "");
    served("e", "", "");

    assertThat(report().instancesUsd()).isCloseTo((0.08925 + 0.1008) / 2, within(1e-9));
    assertThat(text(report()))
        .contains("  Instances   about $0.0950 while they served it (1 c7i.large, 1 m7i.large)\n");
  }

  @Test
  void machine_that_is_gone_costs_nothing_after_its_last_message() {
    served("a", "c7i.large", "on-demand");
    statistics.onlyLive(Map.of("another", new WorkerId("another", 2, T0)));

    assertThat(report().instancesUsd()).isPositive().isLessThan(0.0001);
  }

  @Test
  void spot_costs_at_most_what_it_does_on_demand() {
    served("a", "c7i.large", "spot");

    assertThat(text(report()))
        .contains("Instances   at most $0.0446 while they served it (1 c7i.large)");
  }

  @Test
  void type_of_a_worker_that_lives_at_the_end_is_known_though_only_its_ranks_were_heard() {
    List<TaskResult> job =
        List.of(
            Samples.job(
                0,
                TaskStatus.SUCCEEDED,
                Samples.rank(0, "manager", 0, "", ""),
                Samples.rank(1, "other", 0, "", "")));
    statistics.accept(Samples.batch("manager", 0, 1, job), Samples.times(), job, 0);
    tasks++;
    statistics.onlyLive(
        Map.of(
            "manager", new WorkerId("manager", 2, T0),
            "other", new WorkerId("other", 2, T0, "c7i.large", "on-demand")));

    assertThat(report().workers().get(1).instanceType()).isEqualTo("c7i.large");
    assertThat(report().instancesUsd()).isPositive();
  }

  @Test
  void machines_without_a_price_are_not_mentioned() throws Exception {
    served("a", "process", "");
    served("b", "", "");

    assertThat(report().instancesUsd()).isNull();
    assertThat(text(report())).doesNotContain("Instances");
    JsonNode json = new ObjectMapper().readTree(ReportJson.toJson(report()));
    assertThat(json.has("instancesUsd")).isFalse();
    assertThat(json.at("/workers/0").has("instanceUsd")).isFalse();
    assertThat(json.at("/workers/1").has("instanceType")).isFalse();
  }

  @Test
  void json_has_the_sum_and_each_workers_part() throws Exception {
    served("a", "c7i.large", "spot");

    JsonNode json = new ObjectMapper().readTree(ReportJson.toJson(report()));

    assertThat(json.at("/instancesUsd").asDouble()).isEqualTo(0.044625);
    assertThat(json.at("/workers/0/instanceType").asText()).isEqualTo("c7i.large");
    assertThat(json.at("/workers/0/lifeCycle").asText()).isEqualTo("spot");
    assertThat(json.at("/workers/0/instanceUsd").asDouble()).isEqualTo(0.044625);
  }
}
