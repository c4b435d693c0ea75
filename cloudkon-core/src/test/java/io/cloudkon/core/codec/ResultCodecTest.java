package io.cloudkon.core.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.TaskUsage;
import io.cloudkon.core.wire.WireCalls;
import io.cloudkon.core.wire.WireResult;
import io.cloudkon.core.wire.WireResults;
import io.cloudkon.core.wire.WireStatus;
import io.cloudkon.core.wire.WireWorker;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

final class ResultCodecTest {
  private static ResultBatch batch(List<TaskResult> results, String error) {
    return new ResultBatch(
        "run",
        "epoch",
        "run/epoch/3/1",
        new ResultBatch.WorkerId("w", 4, 17, "c7i.large", "spot"),
        2,
        "nonce",
        new ResultBatch.BundleStamps(100, 200, 300, 400, 500),
        results,
        List.of(new ResultBatch.Calls("sqs.SendMessageBatch", 3, 4.5)),
        error);
  }

  private static void assertRoundTrip(ResultBatch batch) throws MalformedMessageException {
    assertThat(ResultCodec.decode(ResultCodec.encode(batch)))
        .usingRecursiveComparison()
        .isEqualTo(batch);
  }

  @ParameterizedTest
  @EnumSource
  void every_status_comes_back(TaskStatus status) throws MalformedMessageException {
    assertRoundTrip(
        batch(List.of(TaskResult.notRun(7, "a task", status, "because of ☃", 150)), ""));
  }

  @Test
  void output_that_was_cut_comes_back_with_its_whole_length() throws MalformedMessageException {
    byte[] kept = {0, 1, 2, -1};
    assertRoundTrip(
        batch(
            List.of(
                new TaskResult(
                    0,
                    "1",
                    TaskStatus.FAILED,
                    -9,
                    kept,
                    1L << 40,
                    kept,
                    4,
                    kept,
                    5,
                    "",
                    199,
                    1000,
                    3)),
            ""));
  }

  @Test
  void bundle_error_comes_back() throws MalformedMessageException {
    assertRoundTrip(batch(List.of(), "the bundle is too large"));
  }

  @Test
  void random_results_come_back() throws MalformedMessageException {
    RandomMessages random = new RandomMessages(3);
    for (int i = 0; i < 100; i++) {
      assertRoundTrip(random.results(40));
    }
  }

  @Test
  void results_of_a_full_bundle_of_nothing_are_small() throws MalformedMessageException {
    List<TaskResult> results =
        IntStream.range(0, Limits.TASKS_PER_BUNDLE)
            .mapToObj(i -> TaskResult.notRun(i, "" + (i + 1), TaskStatus.SUCCEEDED, "", 205))
            .toList();

    byte[] encoded = ResultCodec.encode(batch(results, ""));

    assertThat(encoded.length).isLessThan(10 * Limits.TASKS_PER_BUNDLE);
    assertThat(ResultCodec.decode(encoded).results()).hasSize(Limits.TASKS_PER_BUNDLE);
  }

  @Test
  void size_of_a_result_is_at_least_what_it_takes() {
    RandomMessages random = new RandomMessages(4);
    for (int i = 0; i < 300; i++) {
      ResultBatch batch = random.results(30);
      if (!batch.bundleError().isEmpty()) {
        continue;
      }
      ResultBatch empty =
          new ResultBatch(
              batch.run(),
              batch.epoch(),
              batch.bundle(),
              batch.worker(),
              batch.attempt(),
              batch.nonce(),
              batch.stamps(),
              List.of(),
              batch.calls(),
              "");
      int firstOrdinal = 6;
      int most =
          ResultCodec.encode(empty).length
              + firstOrdinal
              + batch.results().stream().mapToInt(ResultCodec::sizeOf).sum();

      assertThat(ResultCodec.encode(batch).length).isLessThanOrEqualTo(most);
    }
  }

  @Test
  void size_of_an_extreme_result_is_at_least_what_it_takes() {
    byte[] kept = new byte[20_000];
    TaskResult extreme =
        new TaskResult(
                Integer.MAX_VALUE - 9,
                "漢".repeat(256),
                TaskStatus.LOST,
                Integer.MIN_VALUE,
                kept,
                Long.MAX_VALUE,
                kept,
                Long.MAX_VALUE,
                kept,
                Long.MAX_VALUE,
                "漢".repeat(9000),
                Long.MIN_VALUE / 2,
                Long.MAX_VALUE / 4,
                Integer.MAX_VALUE)
            .with(new TaskUsage(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE));
    TaskResult first = TaskResult.notRun(0, "1", TaskStatus.SUCCEEDED, "", 200);

    int alone = ResultCodec.encode(batch(List.of(first), "")).length;
    int both = ResultCodec.encode(batch(List.of(first, extreme), "")).length;

    assertThat(both - alone).isLessThanOrEqualTo(ResultCodec.sizeOf(extreme));
  }

  @Test
  void more_results_than_a_bundle_has_tasks_are_refused() {
    WireResults.Builder wire = legal().clearResults();
    wire.addAllResults(
        Collections.nCopies(
            Limits.TASKS_PER_BUNDLE + 1,
            WireResult.newBuilder().setStatus(WireStatus.SUCCEEDED).build()));

    assertThatThrownBy(() -> ResultCodec.decode(wire.build().toByteArray()))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessageContaining("4096");
  }

  @Test
  void message_that_only_tests_a_queue_is_read_and_not_taken_for_stored_results() throws Exception {
    byte[] test = legal().clearResults().build().toByteArray();

    assertThat(ResultCodec.decode(test).tellsNothing()).isTrue();
    assertThatThrownBy(() -> ResultCodec.decodeStored(test))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessageContaining("expected results or a bundle's error");
    assertThat(ResultCodec.decode(legal().build().toByteArray()).tellsNothing()).isFalse();
  }

  private static WireResults.Builder legal() {
    return WireResults.newBuilder()
        .setVersion(1)
        .setRun("run")
        .setEpoch("epoch")
        .setBundle("run/epoch/3")
        .setWorker(WireWorker.newBuilder().setId("w"))
        .setNonce("n")
        .addResults(WireResult.newBuilder().setStatus(WireStatus.SUCCEEDED));
  }

  private static Arguments bad(String what, Consumer<WireResults.Builder> change) {
    return arguments(what, change);
  }

  private static Arguments badResult(String what, Consumer<WireResult.Builder> change) {
    return bad(what, batch -> change.accept(batch.getResultsBuilder(0)));
  }

  private static Arguments badCalls(String what, Consumer<WireCalls.Builder> change) {
    return bad(what, batch -> change.accept(batch.addCallsBuilder()));
  }

  static Stream<Arguments> illegal() {
    return Stream.of(
        bad("no version", b -> b.setVersion(0)),
        bad("a newer version", b -> b.setVersion(2)),
        bad("no run", b -> b.setRun("")),
        bad("a bundle of another run", b -> b.setBundle("other/epoch/3")),
        bad("a long worker id", b -> b.getWorkerBuilder().setId("w".repeat(257))),
        bad("slots above 2^31", b -> b.getWorkerBuilder().setSlots(-1)),
        bad("an attempt above 2^31", b -> b.setAttempt(-1)),
        bad("a long nonce", b -> b.setNonce("n".repeat(Limits.TOKEN_CHARS + 1))),
        bad("results and an error", b -> b.setBundleError("x")),
        bad("results and a key", b -> b.setStored("run/out/run/epoch/3/n-0")),
        bad("another run's key", b -> b.clearResults().setStored("other/out/run/epoch/3/n-0")),
        bad("another bundle's key", b -> b.clearResults().setStored("run/out/run/epoch/4/n-0")),
        bad("an ordinal above 2^31", b -> b.setFirstOrdinal(-1)),
        bad("calls of too many operations", b -> b.addAllCalls(many())),
        badResult("no status", WireResult.Builder::clearStatus),
        badResult("an unknown status", r -> r.setStatusValue(9)),
        badResult("a skip beyond the limit", r -> r.setSkip(Integer.MAX_VALUE)),
        badResult("a run time above 2^63", r -> r.setRunMicros(-1)),
        badResult("tries above 2^31", r -> r.setTries(-1)),
        badResult("a processor time above 2^63", r -> r.setCpuMicros(-1)),
        badResult("a long id", r -> r.setId("i".repeat(Limits.ID_BYTES + 1))),
        badCalls("calls above 2^63", c -> c.setCalls(-1)),
        badCalls("units below 0", c -> c.setUnits(-1)),
        badCalls("units that are no number", c -> c.setUnits(Double.NaN)),
        badCalls("endless units", c -> c.setUnits(Double.POSITIVE_INFINITY)));
  }

  private static List<WireCalls> many() {
    return Collections.nCopies(257, WireCalls.getDefaultInstance());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("illegal")
  void message_that_is_against_the_rules_is_refused(
      String what, Consumer<WireResults.Builder> change) throws MalformedMessageException {
    WireResults.Builder wire = legal();
    assertThat(ResultCodec.decode(wire.build().toByteArray()).results()).hasSize(1);

    change.accept(wire);

    assertThatThrownBy(() -> ResultCodec.decode(wire.build().toByteArray()))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessageStartingWith("expected ");
  }
}
