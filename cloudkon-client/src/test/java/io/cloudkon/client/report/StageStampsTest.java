package io.cloudkon.client.report;

import static io.cloudkon.client.report.Samples.STEP;
import static io.cloudkon.client.report.Samples.T0;
import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskUsage;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StageStampsTest {
  /** The thirteen consecutive stages. */
  private static final List<Stage> PARTS = Arrays.asList(Stage.values()).subList(0, 13);

  @Test
  void stamps_in_order_are_kept_as_they_are() {
    StageStamps stamps = StageStamps.of(Samples.times(), Samples.succeeded(0), 0);

    for (Stamp stamp : Stamp.values()) {
      assertThat(stamps.at(stamp)).as(stamp.key()).isEqualTo(Samples.at(stamp));
    }
    for (Stage part : PARTS) {
      assertThat(part.micros(stamps)).as(part.key()).isEqualTo(part == Stage.STAGE ? 0 : STEP);
    }
  }

  @Test
  void time_to_make_files_ready_is_a_stage_between_wait_and_run() {
    TaskResult staged = Samples.succeeded(0).with(new TaskUsage(STEP / 4, 0, 0));
    StageStamps stamps = StageStamps.of(Samples.times(), staged, 0);

    assertThat(stamps.at(Stamp.STAGE_BEGUN)).isEqualTo(Samples.at(Stamp.STARTED) - STEP / 4);
    assertThat(Stage.WAIT.micros(stamps)).isEqualTo(STEP - STEP / 4);
    assertThat(Stage.STAGE.micros(stamps)).isEqualTo(STEP / 4);
    assertThat(Stage.RUN.micros(stamps)).isEqualTo(STEP);
  }

  @Test
  void spans_are_the_sums_of_their_stages() {
    StageStamps stamps = StageStamps.of(Samples.times(), Samples.succeeded(0), 0);

    assertThat(Stage.DELIVER_TASK.micros(stamps)).isEqualTo(4 * STEP);
    assertThat(Stage.EXECUTE.micros(stamps)).isEqualTo(5 * STEP);
    assertThat(Stage.DELIVER_RESULT.micros(stamps)).isEqualTo(3 * STEP);
  }

  @Test
  void a_receive_that_began_before_the_send_has_no_queue_time() {
    BundleTimes times =
        new BundleTimes(T0, T0, T0 + 50, T0 - 900, T0 + 70, T0, T0, T0, T0, T0 - 5, T0 + 90);
    StageStamps stamps = new StageStamps(times, 0, 0);

    assertThat(stamps.at(Stamp.RECEIVE_BEGUN)).isEqualTo(T0 - 900);
    assertThat(Stage.QUEUE.micros(stamps)).isZero();
    assertThat(Stage.RECEIVE.micros(stamps)).isEqualTo(20);
    assertThat(Stage.REPLY_QUEUE.micros(stamps)).isZero();
    assertThat(Stage.COLLECT.micros(stamps)).isEqualTo(20);
  }

  @Test
  void a_send_answered_after_the_receive_ends_with_the_receive() {
    BundleTimes times =
        new BundleTimes(T0, T0, T0 + 500, T0 - 9, T0 + 70, T0, T0, T0, T0, T0, T0 + 900);

    assertThat(times.sent()).isEqualTo(T0 + 70);
    assertThat(times.received()).isEqualTo(T0 + 70);
  }

  @Test
  void any_stamps_give_stages_that_are_not_negative_and_add_up() {
    Random random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      long[] t = random.longs(14, T0, T0 + 1_000).toArray();
      if (i % 3 == 0) {
        Arrays.sort(t);
      } else if (i % 3 == 1) {
        t[random.nextInt(14)] = 0;
      }
      BundleTimes times =
          new BundleTimes(t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[9], t[10], t[11], t[12]);
      StageStamps stamps = new StageStamps(times, t[13], t[7], t[8]);

      assertThat(Stage.values()).allMatch(stage -> stage.micros(stamps) >= 0);
      assertThat(PARTS.stream().mapToLong(stage -> stage.micros(stamps)).sum())
          .isEqualTo(times.latencyMicros());
    }
  }

  @Test
  void stamps_of_a_worker_are_brought_onto_the_clients_clock() {
    long ahead = 3_600_000_000L;
    ResultBatch.BundleStamps worker = Samples.batch("w", 0, 1, Samples.succeeded(0, 1)).stamps();

    BundleTimes times =
        BundleTimes.of(T0 - ahead, T0 - ahead, T0 - ahead, worker, ahead, 0, 0, T0 + STEP * 12);
    StageStamps stamps = StageStamps.of(times, Samples.succeeded(0), ahead);

    assertThat(stamps.at(Stamp.RECEIVED)).isEqualTo(Samples.at(Stamp.RECEIVED) - ahead);
    assertThat(stamps.at(Stamp.STARTED)).isEqualTo(Samples.at(Stamp.STARTED) - ahead);
    assertThat(Stage.RUN.micros(stamps)).isEqualTo(STEP);
  }

  @Test
  void a_result_without_worker_was_in_the_queue_all_the_time() {
    BundleTimes times = BundleTimes.withoutWorker(T0, T0 + 1, T0 + 2, T0 + 1_000);
    StageStamps stamps = new StageStamps(times, T0 + 1_000, T0 + 1_000);

    assertThat(Stage.QUEUE.micros(stamps)).isEqualTo(998);
    assertThat(times.latencyMicros()).isEqualTo(1_000);
  }
}
