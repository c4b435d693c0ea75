package io.cloudkon.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Limits;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A ceiling counts only if all of its callers work to the end. */
class RawLoadTest {

  private static RawLoad load(int bundles, int callers) {
    return new RawLoad(bundles, 1, 1, callers, 2);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 16, 1",
    "7, 4, 2", // not one caller with all seven
    "40, 4, 10",
    "50, 16, 4", // not five callers with ten each
    "100, 4, 9", // three rounds of all four, not two and a half
    "120, 4, 10",
    "250, 4, 9",
    "640, 16, 10",
  })
  void bundles_are_shared_by_all_callers(int bundles, int callers, int batch) {
    assertThat(load(bundles, callers).batch()).isEqualTo(batch);
  }

  @Test
  void callers_need_as_few_rounds_as_batches_of_ten_allow() {
    for (int callers : new int[] {1, 4, 8, 16, 64}) {
      for (int bundles = 1; bundles < 2_000; bundles++) {
        int batches = Math.ceilDiv(bundles, load(bundles, callers).batch());
        assertThat(Math.ceilDiv(batches, callers))
            .as("%d bundles, %d callers", bundles, callers)
            .isEqualTo(Math.ceilDiv(bundles, callers * RawLoad.BATCH));
      }
    }
  }

  @Test
  void time_of_a_caller_is_measured_over_whole_batches() {
    for (int slots : new int[] {2, 4, 64, 256}) {
      RawLoad load = load(slots * FigureCluster.BARE_MESSAGES, slots);
      assertThat(load.batch()).isEqualTo(RawLoad.BATCH);
      assertThat(FigureCluster.BARE_MESSAGES % RawLoad.BATCH).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({"10, 4, 160", "10, 16, 640", "2000, 16, 2000"})
  void bare_calls_of_jobs_occupy_every_caller_for_several_rounds(
      int jobs, int callers, int bundles) {
    assertThat(RawJobs.load(jobs, callers).bundles()).isEqualTo(bundles);
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 4, 160", "250, 40000, 64, 2560", "9000, 1, 64, 9000", "2, 400000, 16, 128"})
  void load_is_large_enough_for_several_full_batches_of_each_caller(
      int bundles, int bytes, int callers, int expected) {
    RawLoad load = new RawLoad(bundles, 1, bytes, callers, 2).several();
    assertThat(load.bundles()).isEqualTo(expected);
    assertThat(load.bundles() / load.batch() / callers).isGreaterThanOrEqualTo(4);
    assertThat(load.resultBytes()).isEqualTo(bytes);
  }

  @Test
  void batch_is_no_larger_than_sqs_accepts() {
    RawLoad load = new RawLoad(250, 60_000, 192_000, 4, 2);
    assertThat(load.batch() * load.resultBytes()).isBetween(192_000, Limits.MESSAGE_BYTES);
    assertThat(new RawLoad(1, Limits.MESSAGE_BYTES, 1, 1, 2).batch()).isEqualTo(1);
  }

  @Test
  void load_is_told_to_another_process() {
    RawLoad load = new RawLoad(7, 300, 4_000, 16, 1);
    assertThat(RawLoad.of(load.words())).isEqualTo(load);
    assertThat(load.words()).isEqualTo(List.of("7", "300", "4000", "16", "1"));
  }

  @Test
  void requests_and_results_of_a_bundle_have_sizes_of_their_own() {
    assertThat(SleepBytes.request(1)).isBetween(100, 400);
    assertThat(SleepBytes.request(1_000) / 1_000).isBetween(3, 30);
    assertThat(SleepBytes.result(1_000)).isGreaterThan(SleepBytes.request(1_000));
  }
}
