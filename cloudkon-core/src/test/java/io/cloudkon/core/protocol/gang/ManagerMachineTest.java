package io.cloudkon.core.protocol.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.capacity.CapacityEffect;
import io.cloudkon.core.protocol.capacity.LedgerCounter;
import io.cloudkon.core.protocol.capacity.LedgerRules;
import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.gang.GangEffect.Verdict;
import io.cloudkon.core.time.Moment;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ManagerMachineTest {
  private static final Consistency EXACTLY = Consistency.EXACTLY_ONCE;

  @Test
  void job_goes_from_its_slots_to_its_deletion_in_the_protocols_order() {
    GangBench bench = new GangBench(2);
    String gang = bench.running(2, EXACTLY);
    bench.beat(gang, "w0", GangBench.ended(1, 0, true));
    bench.beat(gang, "w1", GangBench.ended(1, 1, true));
    bench.later(1_000);

    assertThat(bench.order)
        .containsExactly(
            "Join",
            "Admit",
            "claim",
            "offer",
            "start",
            "settle",
            "results",
            "DONE",
            "delete",
            "dissolve",
            "Remove");
    assertThat(bench.last(GangEffect.Settle.class).verdict()).isEqualTo(new Verdict.Succeeded());
    assertThat(bench.ledger.counter()).isEqualTo(new LedgerCounter(2, 0));
    assertThat(bench.manager.jobsInHand()).isZero();
  }

  @Test
  void ranks_do_not_start_before_all_are_there_and_a_second_holder_is_refused() {
    GangBench bench = new GangBench(2);
    bench.receive(1, GangBench.JOB, 2, EXACTLY);
    String gang = bench.last(GangEffect.Offer.class).gang();

    bench.register(gang, "w0", 0);
    bench.register(gang, "w1", 0);

    assertThat(bench.last(GangEffect.Welcome.class).accepted()).isEmpty();
    assertThat(bench.count(GangEffect.Start.class)).isZero();
    bench.register(gang, "w0", 0);
    assertThat(bench.last(GangEffect.Welcome.class).accepted()).containsExactly(0);
    bench.register(gang, "w1", 1);
    assertThat(bench.last(GangEffect.Start.class).ranks())
        .containsEntry("w0", List.of(0))
        .containsEntry("w1", List.of(1));
  }

  @Test
  void only_ranks_whose_offers_could_not_be_sent_are_offered_again() {
    GangBench bench = new GangBench(4);
    bench.receive(1, GangBench.JOB, 4, EXACTLY);
    GangEffect.Offer first = bench.last(GangEffect.Offer.class);
    bench.register(first.gang(), "w0", 0);

    bench.on(new GangEvent.OfferFailed(first.gang(), Set.of(0, 1)));
    bench.on(new GangEvent.OfferFailed(first.gang(), Set.of(2)));

    assertThat(first.ranks()).containsExactly(0, 1, 2, 3);
    assertThat(bench.offers()).containsExactly(first.ranks(), List.of(1), List.of(2));
    assertThat(bench.last(GangEffect.Offer.class).deadline()).isEqualTo(first.deadline());
  }

  @Test
  void nothing_is_offered_if_the_ranks_whose_offers_failed_are_taken_after_all() {
    GangBench bench = new GangBench(4);
    bench.receive(1, GangBench.JOB, 4, EXACTLY);
    String gang = bench.last(GangEffect.Offer.class).gang();
    bench.register(gang, "w0", 0, 1);
    bench.on(new GangEvent.OfferFailed(gang, Set.of(0, 1)));
    assertThat(bench.offers()).hasSize(1);

    bench.on(new GangEvent.OfferFailed(gang, Set.of(3)));

    assertThat(bench.offers()).hasSize(2).endsWith(List.of(3));
  }

  @Test
  void gang_that_does_not_fill_is_dissolved_and_its_job_claimed_anew_by_a_fresh_nonce() {
    GangBench bench = new GangBench(2);
    bench.receive(1, GangBench.JOB, 2, EXACTLY);
    String nonce = bench.claim().nonce();
    bench.later(10_000);

    assertThat(bench.order).contains("dissolve", "RELEASED", "Remove").doesNotContain("put back");
    assertThat(bench.claim().countedAttempts()).isZero();
    GangEffect.Rearm rearm = bench.last(GangEffect.Rearm.class);
    assertThat(rearm.nonce()).isNotEqualTo(nonce);
    bench.later(9_000);
    assertThat(bench.count(GangEffect.Offer.class)).as("slots idled in vain").isEqualTo(1);
    bench.later(2_000);
    assertThat(bench.claim().nonce()).isEqualTo(rearm.nonce());
    assertThat(bench.count(GangEffect.Offer.class)).isEqualTo(2);
  }

  @Test
  void sub_worker_that_is_lost_costs_an_attempt_once_nothing_runs_any_more() {
    GangBench bench = new GangBench(2);
    String gang = bench.running(2, EXACTLY);
    for (int i = 0; i < 4; i++) {
      bench.later(2_500);
      bench.beat(gang, "w0");
    }

    assertThat(bench.order).contains("kill");
    bench.beat(gang, "w0", new GangEvent.Ended(GangBench.JOB, 1, 0, GangEvent.How.KILLED));
    bench.later(100);
    assertThat(bench.claim().releases()).isZero();
    assertThat(bench.claim().countedAttempts()).isPositive();
    assertThat(bench.order).contains("RELEASED", "dissolve");
  }

  @Test
  void at_most_once_job_whose_sub_worker_is_lost_is_lost() {
    GangBench bench = new GangBench(2);
    String unused = bench.running(2, Consistency.AT_MOST_ONCE);
    bench.later(11_000);

    assertThat(bench.order).contains("LOST", "DONE", "delete");
    assertThat(bench.claim().attempt()).isEqualTo(1);
  }

  @Test
  void rank_that_fails_ends_the_others_and_the_job() {
    GangBench bench = new GangBench(2);
    String gang = bench.running(2, EXACTLY);
    bench.beat(gang, "w1", GangBench.ended(1, 1, false));

    assertThat(bench.order).endsWith("kill");
    bench.beat(gang, "w0", new GangEvent.Ended(GangBench.JOB, 1, 0, GangEvent.How.KILLED));
    assertThat(bench.last(GangEffect.Settle.class).verdict()).isEqualTo(new Verdict.RankFailed(1));
  }

  @Test
  void gang_that_stands_serves_the_next_job_of_its_size_without_offers() {
    GangBench bench = new GangBench(2);
    String gang = bench.running(2, EXACTLY);
    bench.beat(gang, "w0", GangBench.ended(1, 0, true));
    bench.beat(gang, "w1", GangBench.ended(1, 1, true));
    bench.receive(2, "run/e/1", 2, EXACTLY);

    assertThat(bench.count(GangEffect.Start.class)).isEqualTo(2);
    assertThat(bench.last(GangEffect.Start.class).gang()).isEqualTo(gang);
    assertThat(bench.count(GangEffect.Offer.class)).isEqualTo(1);
  }

  @Test
  void gang_without_a_job_frees_its_slots_after_a_tenth_of_a_second() {
    GangBench bench = new GangBench(2);
    String gang = bench.running(2, EXACTLY);
    bench.beat(gang, "w0", GangBench.ended(1, 0, true));
    bench.beat(gang, "w1", GangBench.ended(1, 1, true));
    bench.later(50);
    assertThat(bench.order).doesNotContain("dissolve");

    bench.later(100);

    assertThat(bench.order).contains("dissolve");
  }

  @Test
  void job_that_finds_no_room_waits_says_so_and_starts_when_there_is() {
    GangBench bench = new GangBench(2);
    bench.join("other", 2);
    bench.receive(1, GangBench.JOB, 4, EXACTLY);
    bench.receive(2, "run/e/1", 2, EXACTLY);
    bench.later(2_000);

    assertThat(bench.ledger.view().waiting())
        .singleElement()
        .satisfies(waiting -> assertThat(waiting.job()).isEqualTo("run/e/1"));
    assertThat(bench.claims).doesNotContainKey("run/e/1");
  }

  @Test
  void job_that_has_waited_for_its_patience_gets_the_reservation_and_slots_that_are_kept() {
    GangBench bench = new GangBench(2);
    bench.join("other", 2);
    String first = null;
    bench.receive(1, "run/e/1", 2, EXACTLY);
    first = bench.last(GangEffect.Offer.class).gang();
    bench.receive(2, GangBench.JOB, 4, EXACTLY);
    bench.register(first, "other", 0, 1);
    for (int i = 0; i < 27; i++) {
      bench.later(2_500);
      bench.beat(first, "other");
    }

    assertThat(bench.ledger.reservation()).isNotNull();
    assertThat(bench.ledger.counter().reserved()).isEqualTo(4);
    assertThat(LedgerRules.keep(bench.ledger, GangBench.JOB, "me", 0, 2)).isTrue();
    assertThat(LedgerRules.keep(bench.ledger, GangBench.JOB, "other", 0, 2)).isTrue();
    bench.beat(
        first,
        "other",
        new GangEvent.Ended("run/e/1", 1, 0, GangEvent.How.WELL),
        new GangEvent.Ended("run/e/1", 1, 1, GangEvent.How.WELL));
    bench.later(6_000);
    assertThat(bench.order).contains("Reserve", "AdmitReserved");
    assertThat(bench.ledger.counter()).isEqualTo(new LedgerCounter(0, 0));
    String gang = bench.last(GangEffect.Offer.class).gang();
    bench.register(gang, "me", 0, 1);
    bench.register(gang, "other", 2, 3);
    assertThat(bench.ledger.reservation()).isNull();
    assertThat(bench.last(GangEffect.Start.class).size()).isEqualTo(4);
  }

  @Test
  void reservation_that_no_job_here_needs_any_more_is_given_back() {
    GangBench bench = new GangBench(2);
    bench.receive(1, GangBench.JOB, 9, EXACTLY);
    Reservation of = Reservation.of(GangBench.JOB, 9, "me", Long.MAX_VALUE / 2);
    Reservation unknown = Reservation.of("run/e/9", 1, "me", Long.MAX_VALUE / 2);
    Reservation gone = new Reservation(GangBench.JOB, 9, "me", true, Map.of(), Long.MAX_VALUE / 2);

    bench.on(new GangEvent.Looked(of));
    assertThat(bench.order).doesNotContain("Unreserve refused");
    bench.on(new GangEvent.Looked(gone));
    bench.on(new GangEvent.Looked(unknown));

    assertThat(bench.order).filteredOn("Unreserve refused"::equals).hasSize(2);
  }

  @Test
  void job_with_more_ranks_than_live_slots_fails_after_twenty_seconds() {
    GangBench bench = new GangBench(2);
    bench.receive(1, GangBench.JOB, 9, EXACTLY);
    bench.later(19_000);
    assertThat(bench.count(GangEffect.Settle.class)).isZero();
    bench.later(10_000);

    assertThat(bench.last(GangEffect.Settle.class).verdict())
        .isEqualTo(new Verdict.TooLarge(new RankLimit.LiveWorkers(2)));
    assertThat(bench.claim().state()).isEqualTo(ClaimState.DONE);
  }

  @Test
  void job_that_fits_what_the_provisioner_may_launch_waits_although_live_workers_have_less() {
    GangBench bench = new GangBench(2);
    bench.fleet = new RankLimit.Fleet(3, 2, Long.MAX_VALUE);
    bench.receive(1, GangBench.JOB, 6, EXACTLY);
    bench.later(40_000);
    assertThat(bench.count(GangEffect.Settle.class)).isZero();

    bench.join("w1", 4);

    assertThat(bench.count(GangEffect.Offer.class)).isPositive();
  }

  @Test
  void job_with_more_ranks_than_the_largest_fleet_fails_and_the_verdict_names_it() {
    GangBench bench = new GangBench(2);
    bench.fleet = new RankLimit.Fleet(3, 2, Long.MAX_VALUE);
    bench.receive(1, GangBench.JOB, 8, EXACTLY);
    bench.later(19_000);
    assertThat(bench.count(GangEffect.Settle.class)).isZero();
    bench.later(10_000);

    assertThat(bench.last(GangEffect.Settle.class).verdict())
        .isEqualTo(new Verdict.TooLarge(bench.fleet));
  }

  @Test
  void live_workers_that_have_more_than_the_provisioner_may_launch_are_the_limit() {
    GangBench bench = new GangBench(4);
    bench.fleet = new RankLimit.Fleet(3, 1, Long.MAX_VALUE);
    bench.receive(1, GangBench.JOB, 5, EXACTLY);
    bench.later(30_000);

    assertThat(bench.last(GangEffect.Settle.class).verdict())
        .isEqualTo(new Verdict.TooLarge(new RankLimit.LiveWorkers(4)));
  }

  @Test
  void option_holds_although_the_provisioner_may_launch_more() {
    GangBench bench = new GangBench(2, 4);
    bench.fleet = new RankLimit.Fleet(3, 2, Long.MAX_VALUE);
    bench.receive(1, GangBench.JOB, 6, EXACTLY);
    bench.later(2_000);

    assertThat(bench.last(GangEffect.Settle.class).verdict())
        .isEqualTo(new Verdict.TooLarge(new RankLimit.Option(4)));
  }

  @Test
  void provisioner_whose_lease_is_over_counts_no_more_twenty_seconds_later() {
    GangBench bench = new GangBench(2);
    bench.fleet = new RankLimit.Fleet(3, 2, bench.now.service() + 60_000);
    bench.receive(1, GangBench.JOB, 6, EXACTLY);
    bench.later(79_000);
    assertThat(bench.count(GangEffect.Settle.class)).isZero();
    bench.later(5_000);

    assertThat(bench.last(GangEffect.Settle.class).verdict())
        .isEqualTo(new Verdict.TooLarge(new RankLimit.LiveWorkers(2)));
  }

  @Test
  void job_is_not_too_large_while_the_provisioner_cannot_be_read() {
    GangBench bench = new GangBench(2);
    bench.fleet = null;
    bench.receive(1, GangBench.JOB, 6, EXACTLY);
    bench.later(120_000);
    assertThat(bench.count(GangEffect.Settle.class)).isZero();

    bench.fleet = RankLimit.Fleet.NONE;
    bench.later(1_000);

    assertThat(bench.last(GangEffect.Settle.class).verdict())
        .isEqualTo(new Verdict.TooLarge(new RankLimit.LiveWorkers(2)));
  }

  @Test
  void view_that_was_asked_for_before_the_worker_was_stopped_does_not_say_who_lives() {
    GangBench bench = new GangBench(2);
    bench.receive(1, GangBench.JOB, 9, EXACTLY);
    bench.later(15_000);
    Moment asked = bench.now;
    LedgerView before = bench.ledger.view();
    bench.now = bench.now.plus(10_000);
    bench.on(new GangEvent.Viewed(before, asked, RankLimit.Fleet.NONE));

    assertThat(bench.count(GangEffect.Settle.class)).isZero();
    bench.on(new GangEvent.Viewed(before, bench.now, RankLimit.Fleet.NONE));
    assertThat(bench.count(GangEffect.Settle.class)).isEqualTo(1);
  }

  @Test
  void job_with_more_ranks_than_the_option_allows_fails_although_there_is_room() {
    GangBench bench = new GangBench(4, 2);
    bench.receive(1, GangBench.JOB, 3, EXACTLY);
    bench.later(2_000);

    assertThat(bench.last(GangEffect.Settle.class).verdict())
        .isEqualTo(new Verdict.TooLarge(new RankLimit.Option(2)));
    assertThat(bench.order).doesNotContain("Admit");
    assertThat(bench.effects)
        .as("nobody is told that it waits")
        .noneMatch(effect ->
            effect instanceof GangEffect.OfLedger of
                && of.call() instanceof CapacityEffect.PutWaiting);
  }

  @Test
  void drain_lets_what_runs_end_and_gives_back_the_rest() {
    GangBench bench = new GangBench(2);
    String gang = bench.running(2, EXACTLY);
    bench.receive(2, "run/e/1", 1, EXACTLY);
    bench.drain(new GangEvent.Drain());

    assertThat(bench.order).contains("put back").doesNotContain("kill");
    bench.beat(gang, "w0", GangBench.ended(1, 0, true));
    bench.beat(gang, "w1", GangBench.ended(1, 1, true));
    bench.later(1_000);
    assertThat(bench.manager.drained()).isTrue();
    assertThat(bench.claim().state()).isEqualTo(ClaimState.DONE);
    assertThat(bench.ledger.counter()).isEqualTo(LedgerCounter.NONE);
  }

  @Test
  void kill_ends_what_runs_and_releases_it() {
    GangBench bench = new GangBench(2);
    String gang = bench.running(2, EXACTLY);
    bench.drain(new GangEvent.Kill());
    bench.beat(gang, "w0", new GangEvent.Ended(GangBench.JOB, 1, 0, GangEvent.How.KILLED));
    bench.beat(gang, "w1", new GangEvent.Ended(GangBench.JOB, 1, 1, GangEvent.How.KILLED));
    bench.later(1_000);

    assertThat(bench.claim().state()).isEqualTo(ClaimState.RELEASED);
    assertThat(bench.claim().countedAttempts()).isZero();
    assertThat(bench.manager.drained()).isTrue();
  }

  @Test
  void drain_of_a_gang_that_forms_releases_its_claim_and_slots() {
    GangBench bench = new GangBench(2);
    bench.receive(1, GangBench.JOB, 2, EXACTLY);
    bench.drain(new GangEvent.Drain());
    bench.later(100);

    assertThat(bench.order).contains("RELEASED", "put back", "dissolve");
    assertThat(bench.manager.drained()).isTrue();
    assertThat(bench.ledger.counter()).isEqualTo(LedgerCounter.NONE);
  }

  @Test
  void drain_waits_for_the_receive_that_is_under_way() {
    GangBench bench = new GangBench(2);
    bench.on(new GangEvent.Drain());
    bench.later(1_000);
    assertThat(bench.manager.drained()).isFalse();

    bench.receive(1, GangBench.JOB, 2, EXACTLY);
    bench.later(100);
    assertThat(bench.order).contains("put back").doesNotContain("claim");
    assertThat(bench.manager.drained()).isTrue();
  }

  // ---- sub-workers that leave

  @Test
  void gang_whose_sub_worker_leaves_serves_what_it_serves_and_no_more() {
    GangBench bench = new GangBench(2);
    String gang = bench.running(2, EXACTLY);
    bench.receive(2, "run/e/1", 2, EXACTLY);
    bench.leaves(gang, "w0");
    assertThat(bench.order).doesNotContain("dissolve", "kill");

    bench.leaves(gang, "w0", GangBench.ended(1, 0, true));
    bench.beat(gang, "w1", GangBench.ended(1, 1, true));
    assertThat(bench.last(GangEffect.Settle.class).verdict()).isEqualTo(new Verdict.Succeeded());
    assertThat(bench.last(GangEffect.Dissolve.class).workers()).containsExactly("w0", "w1");
    assertThat(bench.count(GangEffect.Start.class)).isEqualTo(1);
    assertThat(bench.claim().countedAttempts()).isEqualTo(1);
  }

  @Test
  void ranks_that_a_sub_worker_kills_as_it_leaves_end_the_others_and_cost_no_attempt() {
    GangBench bench = new GangBench(2);
    String gang = bench.running(2, EXACTLY);
    bench.leaves(gang, "w0", GangBench.ended(0, GangEvent.How.KILLED));
    assertThat(bench.order).contains("kill");
    bench.beat(gang, "w1", GangBench.ended(1, GangEvent.How.KILLED));

    assertThat(bench.order).contains("dissolve", "RELEASED");
    assertThat(bench.claim().countedAttempts()).isZero();
  }

  @Test
  void ranks_that_end_with_others_of_a_worker_that_leaves_are_no_failure() {
    GangBench bench = new GangBench(2);
    String gang = bench.running(2, EXACTLY);
    bench.beat(gang, "w1", GangBench.ended(1, GangEvent.How.ENDED));
    assertThat(bench.order).contains("kill");
    bench.leaves(gang, "w0", GangBench.ended(0, GangEvent.How.KILLED));

    assertThat(bench.order).contains("dissolve", "RELEASED");
    assertThat(bench.claim().countedAttempts()).isZero();
  }

  @Test
  void rank_that_failed_is_named_though_one_that_ended_with_it_was_heard_of_first() {
    GangBench bench = new GangBench(2);
    String gang = bench.running(2, EXACTLY);
    bench.beat(gang, "w1", GangBench.ended(1, GangEvent.How.ENDED));
    bench.beat(gang, "w0", GangBench.ended(0, GangEvent.How.FAILED));

    assertThat(bench.last(GangEffect.Settle.class).verdict()).isEqualTo(new Verdict.RankFailed(0));
  }

  @Test
  void job_fails_whose_ranks_were_ended_by_nobody_we_know() {
    GangBench bench = new GangBench(2);
    String gang = bench.running(2, EXACTLY);
    bench.beat(gang, "w1", GangBench.ended(1, GangEvent.How.ENDED));
    bench.beat(gang, "w0", GangBench.ended(0, GangEvent.How.KILLED));

    assertThat(bench.last(GangEffect.Settle.class).verdict()).isEqualTo(new Verdict.RankFailed(1));
  }

  @Test
  void ranks_that_are_killed_for_their_managers_silence_cost_an_attempt() {
    GangBench bench = new GangBench(2);
    String gang = bench.running(2, EXACTLY);
    bench.beat(gang, "w0", GangBench.ended(0, GangEvent.How.KILLED));
    bench.beat(gang, "w1", GangBench.ended(1, GangEvent.How.KILLED));

    assertThat(bench.claim().releases()).isZero();
    assertThat(bench.claim().countedAttempts()).isPositive();
  }

  @Test
  void gang_that_stands_is_dissolved_as_soon_as_a_sub_worker_leaves() {
    GangBench bench = new GangBench(2);
    String gang = bench.running(2, EXACTLY);
    bench.beat(gang, "w0", GangBench.ended(1, 0, true));
    bench.beat(gang, "w1", GangBench.ended(1, 1, true));
    assertThat(bench.order).doesNotContain("dissolve");
    bench.leaves(gang, "w1");

    assertThat(bench.order).contains("dissolve");
    assertThat(bench.manager.gangsManaged()).isZero();
  }

  @Test
  void gang_that_forms_is_dissolved_when_one_leaves_and_its_job_has_lost_no_attempt() {
    GangBench bench = new GangBench(2);
    bench.receive(1, GangBench.JOB, 2, EXACTLY);
    String gang = bench.last(GangEffect.Offer.class).gang();
    bench.register(gang, "w0", 0);
    bench.leaves(gang, "w0");

    assertThat(bench.order).contains("dissolve", "RELEASED");
    assertThat(bench.claim().countedAttempts()).isZero();
    bench.later(1_000);
    assertThat(bench.count(GangEffect.Offer.class)).isEqualTo(2);
  }

  @Test
  void rank_that_never_began_as_its_worker_leaves_costs_no_attempt() {
    GangBench bench = new GangBench(2);
    String gang = bench.running(2, EXACTLY);
    bench.leaves(gang, "w0", GangBench.ended(0, GangEvent.How.LEFT));
    assertThat(bench.order).endsWith("kill");
    bench.beat(gang, "w1", GangBench.ended(1, GangEvent.How.KILLED));

    assertThat(bench.order).contains("RELEASED", "dissolve");
    assertThat(bench.claim().countedAttempts()).isZero();
    bench.later(1_000);
    assertThat(bench.count(GangEffect.Offer.class)).isEqualTo(2);
  }

  @Test
  void gang_in_which_a_worker_could_not_start_its_rank_serves_nothing_more() {
    GangBench bench = new GangBench(2);
    String gang = bench.running(2, EXACTLY);
    bench.beat(gang, "w0", GangBench.ended(0, GangEvent.How.LEFT));
    bench.beat(gang, "w1", GangBench.ended(1, GangEvent.How.KILLED));

    assertThat(bench.order).contains("RELEASED", "dissolve");
    assertThat(bench.claim().countedAttempts()).isZero();
    bench.later(1_000);
    assertThat(bench.count(GangEffect.Offer.class)).isEqualTo(2);
  }

  @Test
  void job_at_most_once_of_which_no_rank_began_is_not_lost() {
    GangBench bench = new GangBench(2);
    String gang = bench.running(2, Consistency.AT_MOST_ONCE);
    bench.beat(gang, "w0", GangBench.ended(0, GangEvent.How.LEFT));
    bench.beat(gang, "w1", GangBench.ended(1, GangEvent.How.LEFT));

    assertThat(bench.order).contains("RELEASED", "dissolve").doesNotContain("LOST");
    bench.later(1_000);
    assertThat(bench.count(GangEffect.Offer.class)).isEqualTo(2);
  }

  @Test
  void late_word_that_a_start_of_the_former_job_failed_does_not_break_the_next_one() {
    GangBench bench = new GangBench(2);
    String gang = bench.running(2, EXACTLY);
    bench.on(new GangEvent.StartFailed(gang, "run/e/another", 1, "w1"));
    bench.on(new GangEvent.StartFailed(gang, GangBench.JOB, 7, "w1"));
    bench.tick();
    assertThat(bench.order).doesNotContain("kill");

    bench.beat(gang, "w0", GangBench.ended(1, 0, true));
    bench.beat(gang, "w1", GangBench.ended(1, 1, true));
    assertThat(bench.last(GangEffect.Settle.class).verdict()).isEqualTo(new Verdict.Succeeded());
  }

  @Test
  void job_that_is_given_up_keeps_no_slots_while_its_letter_waits() {
    GangBench bench = new GangBench(2);
    bench.silentDead = true;
    bench.receive(1, GangBench.JOB, 2, EXACTLY);
    for (int death = 1; death <= 5; death++) {
      GangEffect.Offer offer = bench.last(GangEffect.Offer.class);
      long offers = bench.count(GangEffect.Offer.class);
      bench.register(offer.gang(), "a" + death, 0);
      bench.register(offer.gang(), "b" + death, 1);
      bench.on(
          new GangEvent.StartFailed(offer.gang(), GangBench.JOB, offer.attempt(), "b" + death));
      for (int i = 0; i < 400 && bench.count(GangEffect.Offer.class) == offers; i++) {
        bench.later(50);
      }
    }

    assertThat(bench.order).contains("dead").doesNotContain("results");
    assertThat(bench.manager.gangsManaged()).isZero();
    assertThat(bench.ledger.counter()).isEqualTo(new LedgerCounter(2, 0));
    assertThat(bench.manager.jobsInHand()).isEqualTo(1);
  }

  // ---- launchers

  @Test
  void launcher_that_was_ended_before_anything_ran_costs_no_attempt() {
    for (Consistency mode : List.of(EXACTLY, Consistency.AT_MOST_ONCE)) {
      GangBench bench = new GangBench(2);
      String gang = bench.running(2, mode);
      bench.on(new GangEvent.NotLaunched(gang, GangBench.JOB, 1));

      assertThat(bench.order).contains("RELEASED").doesNotContain("LOST", "settle");
      assertThat(bench.claim().releases()).isEqualTo(1);
      bench.later(1_000);
      assertThat(bench.count(GangEffect.Start.class) + bench.count(GangEffect.Offer.class))
          .as("tried again")
          .isEqualTo(3);
    }
  }

  @Test
  void launcher_that_was_ended_by_a_cancellation_frees_its_gang() {
    GangBench bench = new GangBench(2);
    String gang = bench.running(2, EXACTLY);
    bench.on(new GangEvent.OfBundle(1, new BundleEvent.RunClosed()));
    bench.on(new GangEvent.NotLaunched(gang, GangBench.JOB, 1));
    bench.later(1_000);

    assertThat(bench.manager.gangsManaged()).isZero();
    assertThat(bench.manager.jobsInHand()).isZero();
    assertThat(bench.ledger.counter()).isEqualTo(new LedgerCounter(2, 0));
  }

  @Test
  void launcher_that_ends_as_a_sub_worker_is_lost_leaves_no_gang_behind() {
    GangBench bench = new GangBench(2);
    String gang = bench.running(2, EXACTLY);
    bench.on(new GangEvent.StartFailed(gang, GangBench.JOB, 1, "w1"));
    bench.on(new GangEvent.NotLaunched(gang, GangBench.JOB, 1));
    bench.later(100);

    assertThat(bench.order).contains("dissolve", "RELEASED");
    assertThat(bench.claim().releases()).isEqualTo(1);
  }

  @Test
  void launcher_that_failed_before_anything_ran_fails_its_job() {
    GangBench bench = new GangBench(2);
    String gang = bench.running(2, EXACTLY);
    bench.on(new GangEvent.LaunchFailed(gang, "run/e/9", 1, false));
    bench.on(new GangEvent.LaunchFailed(gang, GangBench.JOB, 2, false));
    assertThat(bench.count(GangEffect.Settle.class)).isZero();
    bench.on(new GangEvent.LaunchFailed(gang, GangBench.JOB, 1, false));

    assertThat(bench.last(GangEffect.Settle.class).verdict()).isEqualTo(new Verdict.LaunchFailed());
  }

  // ---- how many are received

  @Test
  void room_for_one_job_waits_for_room_for_more_while_there_is_enough_in_hand() {
    GangBench bench = new GangBench(2);
    String gang = bench.running(2, EXACTLY);
    for (int i = 1; i < 6; i++) {
      bench.receive(1 + i, "run/e/" + i, 2, EXACTLY);
    }
    long received = bench.count(GangEffect.Receive.class);
    bench.beat(gang, "w0", GangBench.ended(1, 0, true));
    bench.beat(gang, "w1", GangBench.ended(1, 1, true));
    assertThat(bench.count(GangEffect.Receive.class)).isEqualTo(received);
    bench.later(100);

    assertThat(bench.count(GangEffect.Receive.class)).isEqualTo(received + 1);
  }
}
