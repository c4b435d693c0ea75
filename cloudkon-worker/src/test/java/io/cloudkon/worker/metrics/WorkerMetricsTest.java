package io.cloudkon.worker.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.ResultBatch.Calls;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.protocol.bundle.ReplySettings;
import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.intake.IntakeSettings;
import io.cloudkon.core.protocol.worker.WorkerSettings;
import io.cloudkon.core.testing.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkerMetricsTest {
  private static final byte[] NOTHING = {};

  private final ManualTime time = new ManualTime();
  private final MemoryCloud cloud = new MemoryCloud(time);
  private final List<Calls> calls = new ArrayList<>();
  private final WorkerMetrics metrics = metrics();

  private WorkerMetrics metrics() {
    cloud.setup("Q");
    WorkerSettings settings =
        new WorkerSettings(
            "w-1", 4, LeaseSettings.DEFAULT, ReplySettings.DEFAULT, IntakeSettings.DEFAULT);
    return new WorkerMetrics(settings, cloud.cluster("Q"), time, () -> List.copyOf(calls));
  }

  @AfterEach
  void close() {
    metrics.close();
  }

  @Test
  void documentation_names_every_metric_with_its_type_and_labels_and_no_other() throws IOException {
    calls.add(new Calls("sqs.SendMessageBatch", 1, 1));
    System.gc();
    await().until(() -> scrape().types().containsKey("jvm_gc_pause_seconds"));
    Scrape scrape = scrape();
    Map<String, MetricsTable.Row> table = MetricsTable.read();

    assertThat(table.keySet()).containsAll(scrape.types().keySet());
    table.forEach((metric, row) -> {
      if (!row.late() || scrape.types().containsKey(metric)) {
        assertThat(scrape.types()).containsEntry(metric, row.type());
        assertThat(scrape.labels()).containsEntry(metric, row.labels());
      }
    });
  }

  @Test
  void every_metric_says_what_it_is() {
    Scrape scrape = scrape();

    assertThat(scrape.helps().keySet()).isEqualTo(scrape.types().keySet());
    assertThat(scrape.helps().values()).allSatisfy(help -> assertThat(help).isNotBlank());
  }

  @Test
  void tasks_count_by_status_when_their_results_are_accepted_and_only_those_that_ran_are_timed() {
    metrics
        .stats()
        .accepted(
            List.of(
                ran(TaskStatus.SUCCEEDED, 0),
                ran(TaskStatus.SUCCEEDED, 50_000),
                ran(TaskStatus.FAILED, 2_000_000),
                TaskResult.notRun(3, "4", TaskStatus.LOST, "its worker died", 5)));

    Scrape scrape = scrape();
    assertThat(scrape.value("cloudkon_tasks_total{status=\"succeeded\"}")).isEqualTo(2);
    assertThat(scrape.value("cloudkon_tasks_total{status=\"failed\"}")).isEqualTo(1);
    assertThat(scrape.value("cloudkon_tasks_total{status=\"lost\"}")).isEqualTo(1);
    assertThat(scrape.value("cloudkon_tasks_total{status=\"timed_out\"}")).isZero();
    assertThat(scrape.value("cloudkon_tasks_total{status=\"cancelled\"}")).isZero();
    assertThat(scrape.value("cloudkon_task_seconds_count")).isEqualTo(3);
    assertThat(scrape.value("cloudkon_task_seconds_sum")).isEqualTo(2.05);
    assertThat(scrape.value("cloudkon_task_seconds_bucket{le=\"0.1\"}")).isEqualTo(2);
  }

  @Test
  void queue_time_is_from_the_send_to_the_begin_of_the_receive() throws InterruptedException {
    metrics.cluster().requests().send(List.of(message(), message()));
    time.advanceMillis(3_000);
    assertThat(metrics.cluster().requests().receive(10, Duration.ZERO, Duration.ofSeconds(30)))
        .hasSize(2);

    assertThat(scrape().value("cloudkon_queue_seconds_count")).isEqualTo(2);
    assertThat(scrape().value("cloudkon_queue_seconds_sum")).isEqualTo(6);
    assertThat(scrape().value("cloudkon_queue_seconds_bucket{le=\"1.0\"}")).isZero();
  }

  @Test
  void claims_and_replies_are_timed_each() {
    metrics.cluster().responses().create("Q-response-c");
    metrics.cluster().responses().send("Q-response-c", List.of(message()));
    metrics
        .cluster()
        .claims()
        .acquire(
            new Acquisition("b", Acquisition.Mode.FRESH, "w-1", "n", 1, 0, 0, Positions.none(), 1));

    assertThat(scrape().value("cloudkon_reply_seconds_count")).isEqualTo(1);
    assertThat(scrape().value("cloudkon_claim_seconds_count")).isEqualTo(1);
  }

  @Test
  void calls_grow_from_scrape_to_scrape_and_new_operations_appear() {
    String sends = "cloudkon_calls_total{operation=\"SendMessageBatch\",service=\"sqs\"}";
    String puts = "cloudkon_calls_total{operation=\"PutItem\",service=\"dynamodb\"}";
    calls.add(new Calls("sqs.SendMessageBatch", 3, 3));
    assertThat(scrape().value(sends)).isEqualTo(3);

    calls.set(0, new Calls("sqs.SendMessageBatch", 5, 5));
    calls.add(new Calls("dynamodb.PutItem", 1, 1));

    assertThat(scrape().value(sends)).isEqualTo(5);
    assertThat(scrape().value(puts)).isEqualTo(1);
  }

  @Test
  void gauges_show_what_is_now_and_who_this_is() {
    metrics.stats().now(3, 7);

    Scrape scrape = scrape();
    assertThat(scrape.value("cloudkon_slots")).isEqualTo(4);
    assertThat(scrape.value("cloudkon_busy_slots")).isEqualTo(3);
    assertThat(scrape.value("cloudkon_bundles_in_hand")).isEqualTo(7);
    assertThat(scrape.value("cloudkon_worker_info{queue=\"Q\",worker=\"w-1\"}")).isEqualTo(1);
  }

  private Scrape scrape() {
    return Scrape.parse(metrics.scrape());
  }

  private static OutgoingMessage message() {
    return new OutgoingMessage(Map.of(), new byte[] {1});
  }

  private static TaskResult ran(TaskStatus status, long micros) {
    return new TaskResult(
        0, "1", status, 0, NOTHING, 0, NOTHING, 0, NOTHING, 0, "", 1_000, 1_000 + micros, 1);
  }
}
