package io.cloudkon.core.protocol.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.claim.ClaimEffect.Durable;
import io.cloudkon.core.protocol.claim.ClaimEffect.Ended;
import io.cloudkon.core.protocol.claim.ClaimEffect.Lost;
import io.cloudkon.core.protocol.claim.ClaimEffect.Released;
import io.cloudkon.core.protocol.table.IllegalTransitionException;
import org.junit.jupiter.api.Test;

/** The owner's writes: what they carry, in which order, and what becomes of their lost answers. */
class ClaimWriteTest {
  private final ClaimBench bench = ClaimBench.atMostOnce().granted(0);

  ClaimWriteTest() {
    bench.news.clear();
  }

  @Test
  void write_carries_everything_with_the_next_seq() {
    bench.machine.record(Positions.of(0));
    bench.take(bench.machine.start(Positions.of(1), bench.now));
    ClaimWrite write = bench.write();
    assertThat(write.seq()).isEqualTo(1);
    assertThat(write.attempt()).isEqualTo(1);
    assertThat(write.nonce()).isEqualTo("n1");
    assertThat(write.started()).isEqualTo(Positions.of(0, 1));
    assertThat(write.done()).isEqualTo(Positions.of(0));
    assertThat(write.leaseEnd()).isEqualTo(bench.now.service() + 15_000);
    assertThat(write.ttl()).isEqualTo(bench.now.service() / 1000 + 29 * 24 * 3600);
    assertThat(bench.machine.startsRecorded()).isEqualTo(Positions.of(0));
    bench.answer();
    assertThat(bench.news).containsExactly(new Durable());
    assertThat(bench.machine.startsRecorded()).isEqualTo(Positions.of(0, 1));
  }

  @Test
  void what_is_wanted_during_a_write_joins_the_next_one() {
    bench.take(bench.machine.start(Positions.of(1), bench.now));
    bench.take(bench.machine.start(Positions.of(2), bench.now));
    bench.take(bench.machine.start(Positions.of(3), bench.now));
    assertThat(bench.calls).hasSize(1);
    bench.answer();
    assertThat(bench.calls).hasSize(1);
    assertThat(bench.write().started()).isEqualTo(Positions.of(0, 1, 2, 3));
    bench.answer();
    assertThat(bench.calls).isEmpty();
    assertThat(bench.item().seq()).isEqualTo(2);
  }

  @Test
  void failed_write_is_written_anew_with_a_higher_seq_and_everything_since() {
    bench.take(bench.machine.start(Positions.of(1), bench.now));
    bench.machine.record(Positions.of(0));
    bench.failed();
    assertThat(bench.write().seq()).isEqualTo(2);
    assertThat(bench.write().started()).isEqualTo(Positions.of(0, 1));
    assertThat(bench.write().done()).isEqualTo(Positions.of(0));
  }

  @Test
  void start_whose_answer_was_lost_is_durable_after_the_next_write() {
    bench.take(bench.machine.start(Positions.of(1), bench.now));
    bench.answerLost();
    assertThat(bench.machine.startsRecorded()).isEqualTo(Positions.of(0));
    bench.answer();
    assertThat(bench.machine.startsRecorded()).isEqualTo(Positions.of(0, 1));
    assertThat(bench.news).containsExactly(new Durable());
  }

  @Test
  void refusal_that_shows_my_own_seq_is_my_own_success() {
    bench.take(bench.machine.start(Positions.of(1), bench.now));
    ClaimWrite write = bench.write();
    bench.item = ClaimRules.write(bench.item, write).orElseThrow();
    bench.take(bench.machine.writeRefused(write.seq(), bench.item, bench.now));
    assertThat(bench.news).containsExactly(new Durable());
    assertThat(bench.machine.phase()).isEqualTo(ClaimPhase.LEASED);
  }

  @Test
  void older_write_that_comes_late_undoes_nothing() {
    bench.take(bench.machine.start(Positions.of(1), bench.now));
    ClaimWrite late = bench.write();
    bench.failed();
    bench.machine.record(Positions.of(0, 1));
    bench.answer();
    Claim before = bench.item();
    assertThat(ClaimRules.write(bench.item, late)).isEmpty();
    assertThat(bench.item).isSameAs(before);
  }

  @Test
  void answer_to_an_older_write_is_ignored() {
    bench.take(bench.machine.start(Positions.of(1), bench.now));
    bench.failed();
    bench.take(bench.machine.written(1, bench.now));
    bench.take(bench.machine.writeRefused(1, bench.item, bench.now));
    bench.take(bench.machine.writeFailed(1, false, bench.now));
    assertThat(bench.news).isEmpty();
    assertThat(bench.calls).hasSize(1);
    assertThat(bench.machine.startsRecorded()).isEqualTo(Positions.of(0));
  }

  @Test
  void write_refused_by_anothers_claim_is_the_end() {
    bench.take(bench.machine.start(Positions.of(1), bench.now));
    bench.item = bench.others(ClaimState.LEASED, bench.now.service());
    bench.answer();
    assertThat(bench.news).containsExactly(new Lost());
    assertThat(bench.machine.phase()).isEqualTo(ClaimPhase.LOST);
    assertThat(bench.machine.valid(bench.now)).isFalse();
    bench.later(10_000).tick();
    assertThat(bench.calls).isEmpty();
  }

  @Test
  void write_refused_by_a_later_attempt_of_the_same_nonce_is_the_end() {
    bench.take(bench.machine.start(Positions.of(1), bench.now));
    Claim old = bench.item();
    bench.item =
        new Claim(
            old.id(),
            old.state(),
            old.owner(),
            old.nonce(),
            2,
            1,
            0,
            old.leaseEnd(),
            old.started(),
            old.done(),
            old.children(),
            old.ttl());
    bench.answer();
    assertThat(bench.news).containsExactly(new Lost());
  }

  @Test
  void write_refused_as_the_item_is_gone_is_the_end() {
    bench.take(bench.machine.start(Positions.of(1), bench.now));
    bench.item = null;
    bench.answer();
    assertThat(bench.news).containsExactly(new Lost());
  }

  @Test
  void start_that_is_taken_back_is_gone_with_the_next_write() {
    bench.take(bench.machine.start(Positions.of(1, 2), bench.now));
    bench.answer();
    bench.machine.unstart(Positions.of(2));
    bench.later(5_000).tick();
    assertThat(bench.write().started()).isEqualTo(Positions.of(0, 1));
  }

  @Test
  void done_waits_for_the_write_under_way_and_carries_all_bits() {
    bench.take(bench.machine.start(Positions.of(1), bench.now));
    bench.machine.record(Positions.of(0, 1));
    bench.take(bench.machine.end(bench.now));
    assertThat(bench.calls).hasSize(1);
    bench.answer();
    assertThat(bench.news).isEmpty();
    assertThat(bench.write().state()).isEqualTo(ClaimState.DONE);
    assertThat(bench.write().done()).isEqualTo(Positions.of(0, 1));
    bench.answer();
    assertThat(bench.news).containsExactly(new Ended());
    assertThat(bench.machine.phase()).isEqualTo(ClaimPhase.DONE);
  }

  @Test
  void done_whose_answer_was_lost_is_recognized() {
    bench.take(bench.machine.end(bench.now));
    bench.answerLost();
    assertThat(bench.write().seq()).isEqualTo(2);
    bench.answer();
    assertThat(bench.news).containsExactly(new Ended());
    assertThat(bench.item().seq()).isEqualTo(1);
  }

  @Test
  void done_goes_on_past_the_lease_and_is_fenced_if_somebody_took_over() {
    bench.take(bench.machine.end(bench.now));
    bench.failed();
    bench.later(60_000).tick();
    assertThat(bench.news).isEmpty();
    bench.item = bench.others(ClaimState.LOSING, bench.now.service() + 10_000);
    bench.answer();
    assertThat(bench.news).containsExactly(new Lost());
  }

  @Test
  void done_past_the_lease_is_done_if_nobody_took_over() {
    bench.take(bench.machine.end(bench.now));
    bench.failed();
    bench.later(60_000).tick();
    bench.answer();
    assertThat(bench.news).containsExactly(new Ended());
  }

  @Test
  void release_counts_itself_once_even_with_its_answer_lost() {
    bench.take(bench.machine.release(bench.now));
    bench.answerLost();
    bench.answer();
    assertThat(bench.news).containsExactly(new Released());
    assertThat(bench.item().state()).isEqualTo(ClaimState.RELEASED);
    assertThat(bench.item().releases()).isEqualTo(1);
    assertThat(bench.item().countedAttempts()).isZero();
  }

  @Test
  void release_that_somebody_took_before_its_answer_is_lost() {
    bench.take(bench.machine.release(bench.now));
    bench.answerLost();
    bench.item = bench.others(ClaimState.LEASED, bench.now.service() + 15_000);
    bench.answer();
    assertThat(bench.news).containsExactly(new Lost());
  }

  @Test
  void ended_claim_writes_nothing_more() {
    bench.take(bench.machine.end(bench.now));
    bench.answer();
    bench.later(5_000).tick();
    bench.later(50_000).tick();
    assertThat(bench.calls).isEmpty();
  }

  @Test
  void end_or_release_of_a_claim_that_is_not_mine_is_refused() {
    ClaimBench fresh = ClaimBench.exactlyOnce();
    assertThatThrownBy(() -> fresh.machine.end(fresh.now))
        .isInstanceOf(IllegalTransitionException.class);
    assertThatThrownBy(() -> fresh.machine.release(fresh.now))
        .isInstanceOf(IllegalTransitionException.class);
    bench.take(bench.machine.end(bench.now));
    assertThatThrownBy(() -> bench.machine.release(bench.now))
        .isInstanceOf(IllegalTransitionException.class);
  }
}
