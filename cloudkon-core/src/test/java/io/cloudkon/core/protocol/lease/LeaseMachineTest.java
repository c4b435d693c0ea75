package io.cloudkon.core.protocol.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.table.IllegalTransitionException;
import io.cloudkon.core.time.Moment;
import org.junit.jupiter.api.Test;

/** A lease of 15 s, renewed every 5 s, with a margin of 2 s. */
class LeaseMachineTest {
  private static final LeaseSettings SETTINGS = LeaseSettings.DEFAULT;
  private static final LeaseEffect LOOK_UP = new LeaseEffect.LookUp();
  private static final LeaseEffect TAKE = new LeaseEffect.Take(15_000);
  private static final LeaseEffect RENEW = new LeaseEffect.Write(15_000);
  private static final LeaseEffect LET_GO = new LeaseEffect.Write(0);
  private static final LeaseEffect NOTHING = new LeaseEffect.Nothing();
  private static final LeaseFinding GONE = new LeaseFinding.Gone();
  private static final LeaseFinding MINE = new LeaseFinding.Mine();

  /** The service's clock shows this when the monotonic one shows 0. */
  private static final long EPOCH = 1_000_000;

  private LeaseMachine lease = new LeaseMachine(SETTINGS);

  private static Moment at(long millis) {
    return new Moment(millis, EPOCH + millis);
  }

  private static LeaseEffect await(long millis) {
    return new LeaseEffect.Wait(millis);
  }

  private LeaseEffect next(long millis) {
    return lease.next(at(millis), false);
  }

  /** Somebody else's lease that was written and ends then. */
  private static LeaseFinding other(String holder, long written, long end) {
    return new LeaseFinding.Other(new SeenLease(holder, EPOCH + end, EPOCH + written));
  }

  /** Held, as written at 0 and answered at 100. */
  private void holds() {
    lease = LeaseMachine.held(SETTINGS, at(0), at(100));
  }

  // ---- held

  @Test
  void held_lease_is_valid_until_a_margin_before_its_end_counted_from_before_the_write() {
    holds();
    assertThat(lease.phase()).isEqualTo(LeasePhase.HELD);
    assertThat(lease.valid(at(12_999))).isTrue();
    assertThat(lease.valid(at(13_000))).isFalse();
  }

  @Test
  void held_lease_is_over_when_either_clock_says_so() {
    holds();
    assertThat(lease.valid(new Moment(13_000, EPOCH))).isFalse();
    assertThat(lease.valid(new Moment(1_000, EPOCH + 13_000))).isFalse();
    assertThat(lease.valid(new Moment(1_000, EPOCH - 50_000))).isTrue();
  }

  @Test
  void held_lease_is_renewed_a_heartbeat_after_the_answer() {
    holds();
    assertThat(next(1_100)).isEqualTo(await(4_000));
    assertThat(next(5_100)).isEqualTo(RENEW);
    lease.written(at(5_300));
    assertThat(next(5_300)).isEqualTo(await(5_000));
    assertThat(lease.valid(at(18_099))).isTrue();
    assertThat(lease.valid(at(18_100))).isFalse();
  }

  @Test
  void second_write_is_not_asked_for_while_one_is_under_way() {
    holds();
    assertThat(next(5_100)).isEqualTo(RENEW);
    assertThat(lease.next(at(60_000), true)).isEqualTo(NOTHING);
    lease.letGo();
    assertThat(next(60_000)).isEqualTo(NOTHING);
  }

  @Test
  void renewal_that_failed_is_repeated_half_a_second_later_and_the_lease_runs_on_meanwhile() {
    holds();
    assertThat(next(5_100)).isEqualTo(RENEW);
    lease.failed(at(6_000));
    assertThat(lease.valid(at(12_999))).isTrue();
    assertThat(lease.valid(at(13_000))).isFalse();
    assertThat(next(6_000)).isEqualTo(await(500));
    assertThat(next(6_500)).isEqualTo(RENEW);
    lease.written(at(6_600));
    assertThat(lease.valid(at(19_499))).isTrue();
  }

  @Test
  void lease_that_was_over_is_valid_again_once_its_renewal_is_accepted() {
    holds();
    assertThat(next(40_000)).isEqualTo(RENEW);
    assertThat(lease.valid(at(40_000))).isFalse();
    lease.written(at(40_100));
    assertThat(lease.valid(at(40_100))).isTrue();
  }

  @Test
  void news_is_written_without_waiting_for_the_heartbeat() {
    holds();
    assertThat(lease.next(at(1_000), true)).isEqualTo(RENEW);
    lease.written(at(1_100));
    assertThat(next(1_100)).isEqualTo(await(5_000));
  }

  @Test
  void news_waits_for_the_repetition_of_a_write_that_failed() {
    holds();
    assertThat(lease.next(at(1_000), true)).isEqualTo(RENEW);
    lease.failed(at(1_100));
    assertThat(lease.next(at(1_200), true)).isEqualTo(await(400));
    assertThat(lease.next(at(1_600), true)).isEqualTo(RENEW);
  }

  @Test
  void timer_that_fires_before_the_clock_says_so_is_believed() {
    holds();
    lease.waited(at(5_099));
    assertThat(next(5_099)).isEqualTo(RENEW);
  }

  // ---- refused

  @Test
  void refused_renewal_is_looked_up_at_once_and_repeated_if_the_lease_is_still_its_own() {
    holds();
    assertThat(next(5_100)).isEqualTo(RENEW);
    lease.refused(at(5_200));
    assertThat(next(5_200)).isEqualTo(LOOK_UP);
    lease.found(MINE, at(5_300));
    assertThat(lease.next(at(5_300), true)).isEqualTo(await(500));
    assertThat(next(5_800)).isEqualTo(RENEW);
    assertThat(lease.valid(at(12_999))).isTrue();
    assertThat(lease.valid(at(13_000))).as("counted from the last accepted write").isFalse();
  }

  @Test
  void look_that_failed_is_followed_by_the_next_write() {
    holds();
    assertThat(next(5_100)).isEqualTo(RENEW);
    lease.refused(at(5_200));
    assertThat(next(5_200)).isEqualTo(LOOK_UP);
    lease.failed(at(5_300));
    assertThat(next(5_300)).isEqualTo(await(500));
    assertThat(next(5_800)).isEqualTo(RENEW);
  }

  @Test
  void lease_that_another_holds_is_lost_and_nothing_follows() {
    holds();
    assertThat(next(5_100)).isEqualTo(RENEW);
    lease.refused(at(5_200));
    assertThat(next(5_200)).isEqualTo(LOOK_UP);
    lease.found(other("b", 5_000, 20_000), at(5_300));
    assertThat(lease.phase()).isEqualTo(LeasePhase.LOST);
    assertThat(lease.valid(at(5_300))).isFalse();
    assertThat(lease.next(at(90_000), true)).isEqualTo(NOTHING);
  }

  @Test
  void lease_whose_entry_is_gone_is_lost() {
    holds();
    assertThat(next(5_100)).isEqualTo(RENEW);
    lease.refused(at(5_200));
    assertThat(next(5_200)).isEqualTo(LOOK_UP);
    lease.found(GONE, at(5_300));
    assertThat(lease.phase()).isEqualTo(LeasePhase.LOST);
  }

  @Test
  void lease_that_cannot_be_kept_is_lost_at_once() {
    holds();
    assertThat(next(5_100)).isEqualTo(RENEW);
    lease.lost();
    assertThat(lease.valid(at(5_200))).isFalse();
    assertThat(next(5_200)).isEqualTo(NOTHING);
  }

  @Test
  void lease_that_cannot_be_read_or_taken_is_lost_until_it_is_wanted_again() {
    assertThat(next(0)).isEqualTo(LOOK_UP);
    lease.lost();
    assertThat(next(10)).isEqualTo(NOTHING);
    lease.again();
    assertThat(next(20)).isEqualTo(LOOK_UP);
    lease.found(GONE, at(30));
    assertThat(next(30)).isEqualTo(TAKE);
    lease.lost();
    assertThat(next(40)).isEqualTo(NOTHING);
  }

  @Test
  void lost_lease_that_is_wanted_again_is_watched_from_scratch() {
    holds();
    assertThat(next(5_100)).isEqualTo(RENEW);
    lease.refused(at(5_200));
    assertThat(next(5_200)).isEqualTo(LOOK_UP);
    lease.found(other("b", 5_000, 20_000), at(5_300));
    lease.again();
    assertThat(next(6_000)).isEqualTo(LOOK_UP);
    lease.found(other("b", 5_000, 20_000), at(6_000));
    assertThat(next(6_000)).isEqualTo(await(5_000));
  }

  // ---- let go

  @Test
  void lease_is_let_go_by_a_write_that_ends_it_without_waiting() {
    holds();
    lease.letGo();
    assertThat(lease.valid(at(1_000))).as("until that is sent").isTrue();
    assertThat(next(1_000)).isEqualTo(LET_GO);
    assertThat(lease.valid(at(1_000))).as("it may be another's now").isFalse();
    lease.written(at(1_100));
    assertThat(lease.phase()).isEqualTo(LeasePhase.LET_GO);
    assertThat(next(1_100)).isEqualTo(NOTHING);
  }

  @Test
  void letting_go_waits_for_the_answer_to_a_renewal_only() {
    holds();
    assertThat(next(5_100)).isEqualTo(RENEW);
    lease.letGo();
    lease.written(at(5_200));
    assertThat(lease.phase()).isEqualTo(LeasePhase.HELD);
    assertThat(next(5_200)).isEqualTo(LET_GO);
  }

  @Test
  void letting_go_does_not_wait_for_the_repetition_of_a_renewal() {
    holds();
    assertThat(next(5_100)).isEqualTo(RENEW);
    lease.failed(at(5_200));
    lease.letGo();
    assertThat(next(5_200)).isEqualTo(LET_GO);
  }

  @Test
  void letting_go_that_failed_is_repeated_half_a_second_later_and_the_lease_never_valid_again() {
    holds();
    lease.letGo();
    assertThat(next(1_000)).isEqualTo(LET_GO);
    lease.failed(at(1_100));
    assertThat(lease.valid(at(1_100))).isFalse();
    assertThat(next(1_100)).isEqualTo(await(500));
    assertThat(next(1_600)).isEqualTo(LET_GO);
    lease.failed(at(1_700));
    lease.letGo();
    assertThat(next(1_700)).as("wanted once more").isEqualTo(LET_GO);
  }

  @Test
  void lease_that_an_earlier_write_let_go_is_found_so() {
    holds();
    lease.letGo();
    assertThat(next(1_000)).isEqualTo(LET_GO);
    lease.failed(at(1_100));
    assertThat(next(1_600)).isEqualTo(LET_GO);
    lease.refused(at(1_700));
    assertThat(next(1_700)).isEqualTo(LOOK_UP);
    lease.found(new LeaseFinding.LetGo(), at(1_800));
    assertThat(lease.phase()).isEqualTo(LeasePhase.LET_GO);
  }

  @Test
  void letting_go_that_was_refused_is_repeated_if_the_lease_is_still_its_own() {
    holds();
    lease.letGo();
    assertThat(next(1_000)).isEqualTo(LET_GO);
    lease.refused(at(1_100));
    assertThat(next(1_100)).isEqualTo(LOOK_UP);
    lease.found(MINE, at(1_200));
    assertThat(next(1_700)).isEqualTo(LET_GO);
  }

  @Test
  void process_that_never_held_it_leaves_without_a_write() {
    lease.letGo();
    assertThat(next(0)).isEqualTo(NOTHING);
    assertThat(lease.phase()).isEqualTo(LeasePhase.LET_GO);
  }

  @Test
  void process_that_leaves_while_it_takes_the_lease_gives_it_back() {
    assertThat(next(0)).isEqualTo(LOOK_UP);
    lease.found(GONE, at(10));
    assertThat(next(10)).isEqualTo(TAKE);
    lease.letGo();
    lease.written(at(20));
    assertThat(next(20)).isEqualTo(LET_GO);
  }

  // ---- taken

  @Test
  void lease_that_nobody_has_is_taken_at_once() {
    assertThat(lease.valid(at(0))).isFalse();
    assertThat(next(0)).isEqualTo(LOOK_UP);
    assertThat(next(5)).as("while that is under way").isEqualTo(NOTHING);
    lease.found(GONE, at(10));
    assertThat(next(20)).isEqualTo(TAKE);
    lease.written(at(100));
    assertThat(lease.valid(at(13_019))).isTrue();
    assertThat(lease.valid(at(13_020))).isFalse();
    assertThat(next(100)).isEqualTo(await(5_000));
  }

  @Test
  void lease_that_was_let_go_is_taken_at_once() {
    assertThat(next(0)).isEqualTo(LOOK_UP);
    lease.found(other("b", 0, 0), at(10));
    assertThat(next(10)).isEqualTo(TAKE);
  }

  @Test
  void lease_that_has_been_over_for_longer_than_the_margin_is_taken_at_once() {
    assertThat(next(20_000)).isEqualTo(LOOK_UP);
    lease.found(other("b", 0, 18_000), at(20_000));
    assertThat(next(20_000)).isEqualTo(TAKE);
  }

  @Test
  void lease_that_looks_live_is_watched_every_heartbeat_until_its_end_and_the_margin() {
    LeaseFinding seen = other("b", 0, 9_000);
    assertThat(next(0)).isEqualTo(LOOK_UP);
    lease.found(seen, at(0));
    assertThat(next(0)).isEqualTo(await(5_000));
    assertThat(next(5_000)).isEqualTo(LOOK_UP);
    lease.found(seen, at(5_000));
    assertThat(next(5_000)).isEqualTo(await(5_000));
    assertThat(next(10_000)).isEqualTo(LOOK_UP);
    lease.found(seen, at(10_000));
    assertThat(next(10_000)).isEqualTo(await(1_000));
    assertThat(next(11_000)).isEqualTo(LOOK_UP);
    lease.found(seen, at(11_000));
    assertThat(next(11_000)).isEqualTo(TAKE);
  }

  @Test
  void lease_that_is_renewed_is_watched_anew() {
    assertThat(next(0)).isEqualTo(LOOK_UP);
    lease.found(other("b", 0, 15_000), at(0));
    for (long now = 5_000; now <= 100_000; now += 5_000) {
      assertThat(next(now)).isEqualTo(LOOK_UP);
      lease.found(other("b", now, now + 15_000), at(now));
    }
    assertThat(lease.phase()).isEqualTo(LeasePhase.WATCHING);
  }

  @Test
  void entry_that_is_written_anew_with_the_same_end_is_not_renewed() {
    assertThat(next(0)).isEqualTo(LOOK_UP);
    lease.found(other("b", 0, 4_000), at(0));
    assertThat(next(5_000)).isEqualTo(LOOK_UP);
    lease.found(other("b", 3_000, 4_000), at(5_000));
    assertThat(next(6_000)).isEqualTo(LOOK_UP);
    lease.found(other("b", 3_000, 4_000), at(6_000));
    assertThat(next(6_000)).isEqualTo(TAKE);
  }

  @Test
  void lease_that_ends_next_year_is_watched_no_longer_than_a_lease_and_the_margin() {
    LeaseFinding seen = other("b", 0, 365 * 24 * 3_600_000L);
    for (long now : new long[] {0, 5_000, 10_000, 15_000, 17_000}) {
      assertThat(next(now)).isEqualTo(LOOK_UP);
      lease.found(seen, at(now));
    }
    assertThat(next(17_000)).isEqualTo(TAKE);
  }

  @Test
  void look_that_failed_does_not_begin_the_watch_anew() {
    LeaseFinding seen = other("b", 0, 1_000);
    assertThat(next(0)).isEqualTo(LOOK_UP);
    lease.found(seen, at(0));
    assertThat(next(3_000)).isEqualTo(LOOK_UP);
    lease.failed(at(3_100));
    assertThat(next(3_100)).isEqualTo(await(500));
    assertThat(next(3_600)).isEqualTo(LOOK_UP);
    lease.found(seen, at(3_600));
    assertThat(next(3_600)).isEqualTo(TAKE);
  }

  @Test
  void lease_that_another_takes_first_is_looked_at_again_and_watched() {
    assertThat(next(0)).isEqualTo(LOOK_UP);
    lease.found(GONE, at(0));
    assertThat(next(0)).isEqualTo(TAKE);
    lease.refused(at(100));
    assertThat(next(100)).isEqualTo(await(500));
    assertThat(next(600)).isEqualTo(LOOK_UP);
    lease.found(other("b", 50, 15_050), at(600));
    assertThat(lease.phase()).isEqualTo(LeasePhase.WATCHING);
    assertThat(lease.valid(at(600))).isFalse();
  }

  /** The first try was carried out; the store shows it when the second is refused. */
  @Test
  void take_whose_answer_was_lost_counts_from_the_first_try_and_is_renewed_at_once() {
    assertThat(next(0)).isEqualTo(LOOK_UP);
    lease.found(GONE, at(0));
    assertThat(next(0)).isEqualTo(TAKE);
    lease.failed(at(6_000));
    assertThat(next(6_500)).isEqualTo(TAKE);
    lease.refused(at(6_600));
    assertThat(next(7_100)).isEqualTo(LOOK_UP);
    lease.found(MINE, at(7_200));

    assertThat(lease.valid(at(12_999))).isTrue();
    assertThat(lease.valid(at(13_000))).isFalse();
    assertThat(next(7_200)).isEqualTo(RENEW);
    lease.written(at(7_300));
    assertThat(lease.valid(at(20_199))).isTrue();
  }

  /**
   * The entry that was looked at in between was not changed yet: the first try is still under way.
   */
  @Test
  void take_that_is_carried_out_late_counts_from_when_it_was_asked_for() {
    assertThat(next(0)).isEqualTo(LOOK_UP);
    lease.found(GONE, at(0));
    assertThat(next(0)).isEqualTo(TAKE);
    lease.failed(at(1_000));
    assertThat(next(1_500)).isEqualTo(TAKE);
    lease.refused(at(1_600));
    assertThat(next(2_100)).isEqualTo(LOOK_UP);
    lease.found(GONE, at(2_100));
    assertThat(next(2_100)).isEqualTo(TAKE);
    lease.refused(at(2_200));
    assertThat(next(2_700)).isEqualTo(LOOK_UP);
    lease.found(MINE, at(2_800));
    assertThat(lease.valid(at(12_999))).isTrue();
    assertThat(lease.valid(at(13_000))).isFalse();
  }

  @Test
  void lease_found_to_be_its_own_though_it_never_took_it_is_not_valid_before_it_is_renewed() {
    assertThat(next(0)).isEqualTo(LOOK_UP);
    lease.found(MINE, at(0));
    assertThat(lease.valid(at(0))).isFalse();
    assertThat(next(0)).isEqualTo(RENEW);
    lease.written(at(10));
    assertThat(lease.valid(at(10))).isTrue();
  }

  @Test
  void answer_to_a_call_that_was_not_made_is_refused() {
    holds();
    assertThatThrownBy(() -> lease.refused(at(0))).isInstanceOf(IllegalTransitionException.class);
    assertThatThrownBy(() -> lease.failed(at(0))).isInstanceOf(IllegalTransitionException.class);
    assertThatThrownBy(() -> lease.found(GONE, at(0)))
        .isInstanceOf(IllegalTransitionException.class);
    assertThatThrownBy(() -> lease.written(at(0))).isInstanceOf(IllegalTransitionException.class);
  }

  // ---- as it stands in a store

  @Test
  void lease_written_after_the_clock_was_set_back_ends_after_its_last_version() {
    assertThat(SeenLease.endOf(1_000, 500, 15_000)).isEqualTo(16_000);
    assertThat(SeenLease.endOf(1_000, 5_000, 15_000)).isEqualTo(20_001);
    assertThat(new SeenLease("a", SeenLease.endOf(1_000, 5_000, 0), 5_001).letGo()).isTrue();
    assertThat(new SeenLease("a", SeenLease.endOf(1_000, 5_000, 1), 5_001).letGo()).isFalse();
  }
}
