package io.cloudkon.core.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.RankOffer;
import io.cloudkon.core.model.RankResult;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.wire.WireOffer;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** HPC jobs, their results and the offers of their ranks, to bytes and back. */
class JobCodecTest {
  private static final BundleHeader HEADER =
      new BundleHeader("r", "e", "r/e/0", "Q-response-c", Consistency.EXACTLY_ONCE, 100, 1, 2, 0);

  static Stream<Work> jobs() {
    return Stream.of(
        new Work.Hpc(1, false, Work.Noop.INSTANCE),
        new Work.Hpc(4096, false, new Work.Sleep(7)),
        new Work.Hpc(2, false, new Work.JavaCall("ring", List.of("3"))));
  }

  @ParameterizedTest
  @MethodSource("jobs")
  void job_comes_back_as_it_was(Work work) throws MalformedMessageException {
    Bundle sent = new Bundle(HEADER, List.of(new Task(0, "1", work, 5_000, 2)));

    assertThat(BundleCodec.decode(BundleCodec.encode(sent)).tasks()).isEqualTo(sent.tasks());
  }

  @Test
  void mpi_program_comes_back_as_it_was() throws MalformedMessageException {
    Work.Exec program = new Work.Exec(List.of("./pi", "9"), null, Map.of("A", "b"), new byte[0]);
    Bundle sent = new Bundle(HEADER, List.of(new Task(0, "1", new Work.Hpc(4, true, program), 0)));

    Work read = BundleCodec.decode(BundleCodec.encode(sent)).tasks().getFirst().work();

    assertThat(read)
        .isInstanceOfSatisfying(
            Work.Hpc.class,
            job -> {
              assertThat(job.ranks()).isEqualTo(4);
              assertThat(job.mpi()).isTrue();
              assertThat(job.each()).usingRecursiveComparison().isEqualTo(program);
            });
  }

  @Test
  void ranks_of_a_result_come_back_as_they_were_and_fit_their_estimate()
      throws MalformedMessageException {
    byte[] nothing = {};
    List<RankResult> ranks =
        List.of(
            new RankResult(0, "w1", 0, "out".getBytes(), nothing),
            new RankResult(1, "w2", 3, nothing, "err".getBytes()));
    TaskResult sent =
        new TaskResult(
            0,
            "1",
            TaskStatus.FAILED,
            3,
            nothing,
            0,
            nothing,
            0,
            nothing,
            0,
            "rank 1",
            10,
            20,
            1,
            ranks);
    ResultBatch batch =
        new ResultBatch(
            "r",
            "e",
            "r/e/0",
            new ResultBatch.WorkerId("w1", 2, 0),
            1,
            "n",
            new ResultBatch.BundleStamps(1, 2, 3, 4, 5),
            List.of(sent),
            List.of(),
            "");
    byte[] bytes = ResultCodec.encode(batch);

    TaskResult read = ResultCodec.decode(bytes).results().getFirst();

    assertThat(read.ranks()).usingRecursiveComparison().isEqualTo(ranks);
    int others =
        ResultCodec.encode(
                new ResultBatch(
                    "r",
                    "e",
                    "r/e/0",
                    batch.worker(),
                    1,
                    "n",
                    batch.stamps(),
                    List.of(),
                    List.of(),
                    "x"))
            .length;
    assertThat(bytes.length - others).isLessThanOrEqualTo(ResultCodec.sizeOf(sent));
  }

  private static RankOffer offer() {
    return new RankOffer(
        "g", "r/e/0", 1, 3, 4, "10.0.0.7:4711", "s3cr3t", 99, "x-_9".repeat(10) + "abc");
  }

  @Test
  void offer_comes_back_as_it_was() throws MalformedMessageException {
    assertThat(OfferCodec.decode(OfferCodec.encode(offer(), "client").payload()))
        .isEqualTo(offer());
  }

  @Test
  void offer_says_everything_of_itself_but_its_secret() {
    assertThat(offer().toString()).contains("rank 3 of 4", "r/e/0").doesNotContain("s3cr3t");
  }

  static Stream<Arguments> illegal() {
    return Stream.of(
        bad("no version", o -> o.setVersion(0)),
        bad("no gang", o -> o.setGang("")),
        bad("no job", o -> o.setJob("")),
        bad("no attempt", o -> o.setAttempt(0)),
        bad("a rank beyond the size", o -> o.setRank(4)),
        bad("no ranks", o -> o.setSize(0)),
        bad("no manager", o -> o.setManager("")),
        bad("no secret", o -> o.setSecret("")),
        bad("a long secret", o -> o.setSecret("s".repeat(129))),
        bad("a secret with a blank", o -> o.setSecret("s3 cr3t")),
        bad("a secret beyond ASCII", o -> o.setSecret("sécret")),
        bad("a short fingerprint", o -> o.setFingerprint("x".repeat(42))),
        bad("a fingerprint of other characters", o -> o.setFingerprint("=".repeat(43))),
        bad("a gang with a line end", o -> o.setGang("g\n")),
        bad("a manager without a port", o -> o.setManager("10.0.0.7")),
        bad("a manager with a blank", o -> o.setManager("10.0.0.7 :4711")));
  }

  private static Arguments bad(String what, Consumer<WireOffer.Builder> change) {
    return Arguments.of(what, change);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("illegal")
  void offer_that_is_against_the_rules_is_refused(String what, Consumer<WireOffer.Builder> change)
      throws Exception {
    WireOffer.Builder wire =
        WireOffer.parseFrom(OfferCodec.encode(offer(), "client").payload()).toBuilder();
    change.accept(wire);

    assertThatThrownBy(() -> OfferCodec.decode(wire.build().toByteArray()))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessageStartingWith("expected ");
  }

  @Test
  void bytes_that_are_no_offer_are_refused() {
    assertThatThrownBy(() -> OfferCodec.decode(new byte[] {1, 2, 3}))
        .isInstanceOf(MalformedMessageException.class);
  }
}
