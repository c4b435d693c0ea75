package io.cloudkon.core.protocol.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Positions;
import org.junit.jupiter.api.Test;

/** What is handed on. */
class ClaimChildrenTest {
  private final ClaimBench bench = ClaimBench.exactlyOnce().granted();

  @Test
  void child_is_recorded_before_it_may_be_sent() {
    bench.take(bench.machine.handOn(Positions.of(2, 3), bench.now));
    assertThat(bench.machine.childrenRecorded()).isEmpty();
    assertThat(bench.machine.allChildrenSent()).isFalse();
    bench.answer();
    assertThat(bench.machine.childrenRecorded())
        .containsExactly(java.util.Map.entry(1, new Child(Positions.of(2, 3), false)));
    assertThat(bench.item().handedOn()).isEqualTo(Positions.of(2, 3));
  }

  @Test
  void child_whose_write_failed_may_not_be_sent() {
    bench.take(bench.machine.handOn(Positions.of(2, 3), bench.now));
    bench.answerLost();
    assertThat(bench.machine.childrenRecorded()).isEmpty();
    bench.answer();
    assertThat(bench.machine.childrenRecorded()).hasSize(1);
  }

  @Test
  void child_that_was_sent_is_marked_by_the_next_write() {
    bench.take(bench.machine.handOn(Positions.of(2), bench.now));
    bench.answer();
    bench.machine.childSent(1);
    assertThat(bench.machine.allChildrenSent()).isTrue();
    assertThat(bench.item().children().get(1)).isEqualTo(new Child(Positions.of(2), false));
    bench.later(5_000).tick();
    bench.answer();
    assertThat(bench.item().children().get(1)).isEqualTo(new Child(Positions.of(2), true));
  }

  @Test
  void children_of_a_dead_owner_are_taken_over_and_the_next_one_counts_on() {
    bench.take(bench.machine.handOn(Positions.of(2), bench.now));
    bench.answer();
    ClaimMachine next =
        new ClaimMachine(
            ClaimBench.BUNDLE,
            io.cloudkon.core.model.Consistency.EXACTLY_ONCE,
            true,
            ClaimBench.LEASE,
            "next",
            "n2");
    bench.later(18_000);
    Acquisition asked =
        ((ClaimEffect.Acquire) next.acquire(Positions.none(), bench.now).getFirst()).acquisition();
    Claim claim = ClaimRules.acquire(bench.item, asked).orElseThrow();
    assertThat(next.acquired(claim, bench.now)).containsExactly(new ClaimEffect.Granted(claim));
    assertThat(next.childrenRecorded())
        .containsExactly(java.util.Map.entry(1, new Child(Positions.of(2), false)));
    ClaimWrite write =
        ((ClaimEffect.Write) next.handOn(Positions.of(3), bench.now).getFirst()).write();
    assertThat(write.children()).containsOnlyKeys(1, 2);
  }
}
