package io.cloudkon.core.protocol.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundleEffect.Close;
import io.cloudkon.core.protocol.bundle.BundleEffect.NoteSick;
import io.cloudkon.core.protocol.bundle.BundleEffect.PutBack;
import io.cloudkon.core.protocol.bundle.BundleEffect.Reason;
import io.cloudkon.core.protocol.bundle.BundleEffect.SendDead;
import io.cloudkon.core.protocol.bundle.BundleEffect.SendFailed;
import io.cloudkon.core.protocol.bundle.BundleEffect.SendResults;
import io.cloudkon.core.protocol.claim.ClaimState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A bundle whose worker cannot start tasks: it is given back, and five workers are enough. */
class BundleSickTest {
  private static final String BUNDLE = "run/e/0";

  /** Task 0 ran, and task 1 could not be started. */
  private static BundleBench sick(Consistency mode) {
    BundleBench bench = BundleBench.running(mode);
    bench.takeTasks(2);
    bench.on(new BundleEvent.Sick(Positions.of(1), "its disk is full"));
    bench.on(new BundleEvent.Finished(Positions.of(0), 100));
    return bench.on(new BundleEvent.Interrupted(Positions.of(1), Positions.none()));
  }

  @ParameterizedTest
  @EnumSource
  void sick_worker_sends_what_ran_and_notes_that_it_is_sick_before_it_gives_back(Consistency mode) {
    BundleBench bench = sick(mode);

    assertThat(bench.asked()).containsExactly(new SendResults(Positions.of(0)));
    bench.accepted(0);
    assertThat(bench.asked()).containsExactly(new NoteSick(BUNDLE));
    assertThat(bench.calls).isEmpty();
    bench.on(new BundleEvent.SickNoted(BUNDLE, 4));
    if (mode.claims()) {
      assertThat(bench.write().state()).isEqualTo(ClaimState.RELEASED);
      assertThat(bench.write().releases()).isEqualTo(1);
      assertThat(bench.write().started())
          .isEqualTo(mode == Consistency.AT_MOST_ONCE ? Positions.of(0) : Positions.none());
      bench.answer();
      assertThat(bench.item.countedAttempts()).isZero();
    }
    assertThat(bench.asked()).containsExactly(new PutBack(0), new Close(Reason.GIVEN_BACK));
  }

  @ParameterizedTest
  @EnumSource
  void fifth_sick_worker_reports_FAILED_with_the_reason(Consistency mode) {
    BundleBench bench = sick(mode).accepted(0);
    bench.asked();

    bench.on(new BundleEvent.SickNoted(BUNDLE, 5));

    Positions rest = Positions.of(1, 2, 3);
    String reason =
        "5 workers could not start it, and it is not tried again; the last one said: its disk is"
            + " full";
    assertThat(bench.asked()).containsExactly(new SendFailed(rest, reason));
    bench.accepted(1, 2, 3);
    assertThat(bench.asked()).containsExactly(new SendDead(rest, reason));
    bench.on(new BundleEvent.DeadAccepted());
    if (mode.claims()) {
      bench.answer();
      assertThat(bench.item.state()).isEqualTo(ClaimState.DONE);
    }
    assertThat(bench.asked()).containsExactly(new BundleEffect.DeleteMessage());
  }

  @Test
  void note_that_could_not_be_taken_is_taken_again() {
    BundleBench bench = sick(Consistency.EXACTLY_ONCE).accepted(0);
    bench.asked();

    bench.on(new BundleEvent.SickNoteFailed(BUNDLE));

    assertThat(bench.asked()).containsExactly(new NoteSick(BUNDLE));
  }

  @Test
  void task_that_waits_for_its_next_try_is_FAILED_with_the_rest() {
    BundleBench bench = new BundleBench(Consistency.EXACTLY_ONCE, "n1", 3, 1).begin();
    bench.takeTasks(4);
    bench.failed(0);
    bench.on(new BundleEvent.Sick(Positions.of(1), "its disk is full"));
    bench.on(new BundleEvent.Interrupted(Positions.of(1, 2, 3), Positions.none()));
    bench.asked();

    bench.on(new BundleEvent.SickNoted(BUNDLE, 5));

    assertThat(bench.asked())
        .first()
        .extracting(e -> ((SendFailed) e).tasks())
        .isEqualTo(BundleBench.ALL);
  }
}
