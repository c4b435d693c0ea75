package io.cloudkon.core.protocol.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SubWorkerMachineTest {
  private static final String JOB = "run/e/0";

  private final SubWorkerMachine machine = new SubWorkerMachine(GangBench.settings("w", 4, 0));
  private final List<SubWorkerEffect> effects = new ArrayList<>();
  private Moment now = new Moment(10_000, 3_000_000);

  /** Slots are kept as soon as they are wanted. */
  private void on(SubWorkerEvent event) {
    for (SubWorkerEffect effect : machine.on(event, now)) {
      effects.add(effect);
      if (effect instanceof SubWorkerEffect.WantSlots want) {
        on(new SubWorkerEvent.SlotsKept(want.question(), want.slots(), 0));
      }
    }
  }

  private void offer(String handle, int rank) {
    on(
        new SubWorkerEvent.Offered(
            List.of(new SubWorkerEvent.Offer(handle, "g", JOB, rank, now.service() + 10_000))));
  }

  private void seated(int rank) {
    offer("h" + rank, rank);
    on(new SubWorkerEvent.Welcomed("g", List.of(rank), List.of(rank), 15_000, now));
  }

  private boolean start(int attempt, int rank) {
    on(new SubWorkerEvent.StartOrdered(attempt, "g", JOB, attempt, List.of(rank)));
    return last(SubWorkerEffect.StartAnswer.class).starts();
  }

  private void later(long millis) {
    now = now.plus(millis);
    on(new SubWorkerEvent.Tick());
  }

  private <E> E last(Class<E> kind) {
    return effects.stream().filter(kind::isInstance).map(kind::cast).toList().getLast();
  }

  private long count(Class<?> kind) {
    return effects.stream().filter(kind::isInstance).count();
  }

  @Test
  void offered_rank_gets_a_slot_is_asked_for_and_deleted_when_it_is_mine() {
    seated(0);

    assertThat(last(SubWorkerEffect.Register.class).ranks()).containsExactly(0);
    assertThat(last(SubWorkerEffect.DeleteOffers.class).handles()).containsExactly("h0");
    assertThat(machine.slotsKept()).isEqualTo(1);
    assertThat(machine.slotsToOffer()).isZero();
  }

  @Test
  void question_that_nobody_answers_gives_its_slots_back_after_a_lease() {
    offer("h0", 0);
    later(14_900);
    assertThat(machine.has("g")).isTrue();
    later(100);

    assertThat(last(SubWorkerEffect.DeleteOffers.class).handles()).containsExactly("h0");
    assertThat(machine.has("g")).isFalse();
    assertThat(machine.slotsKept()).isZero();
    on(new SubWorkerEvent.Welcomed("g", List.of(0), List.of(0), 15_000, now));
    assertThat(machine.ranks()).as("too late").isZero();
  }

  @Test
  void ranks_that_it_has_stay_where_a_question_for_more_is_not_answered() {
    seated(0);
    offer("h1", 1);
    for (int i = 0; i < 6; i++) {
      later(2_500);
      on(new SubWorkerEvent.Answered("g", true, 15_000, 0, now));
    }

    assertThat(machine.ranks()).isEqualTo(1);
    assertThat(machine.slotsKept()).isEqualTo(1);
  }

  @Test
  void offer_past_its_deadline_is_deleted_and_one_without_a_slot_put_back() {
    on(
        new SubWorkerEvent.Offered(
            List.of(new SubWorkerEvent.Offer("old", "g", JOB, 0, now.service()))));
    assertThat(last(SubWorkerEffect.DeleteOffers.class).handles()).containsExactly("old");

    SubWorkerMachine full = new SubWorkerMachine(GangBench.settings("w", 1, 0));
    List<SubWorkerEffect> asked =
        full.on(
            new SubWorkerEvent.Offered(
                List.of(new SubWorkerEvent.Offer("h", "g", JOB, 0, now.service() + 1_000))),
            now);
    long question =
        asked.stream()
            .filter(SubWorkerEffect.WantSlots.class::isInstance)
            .map(SubWorkerEffect.WantSlots.class::cast)
            .toList()
            .getLast()
            .question();
    assertThat(full.on(new SubWorkerEvent.SlotsKept(question, 0, 0), now))
        .contains(new SubWorkerEffect.PutBackOffers(List.of("h")));
  }

  /** A worker whose slots all run tasks, and which was offered these ranks of one gang. */
  private final class Full {
    private final SubWorkerMachine machine = new SubWorkerMachine(GangBench.settings("w", 4, 0));
    private long question;

    List<SubWorkerEffect> on(SubWorkerEvent event) {
      List<SubWorkerEffect> came = machine.on(event, now);
      for (SubWorkerEffect effect : came) {
        if (effect instanceof SubWorkerEffect.WantSlots want) {
          question = want.question();
        }
      }
      return came;
    }

    List<SubWorkerEffect> offered(int ranks) {
      List<SubWorkerEvent.Offer> offers = new ArrayList<>();
      for (int rank = 0; rank < ranks; rank++) {
        offers.add(new SubWorkerEvent.Offer("h" + rank, "g", JOB, rank, now.service() + 10_000));
      }
      return on(new SubWorkerEvent.Offered(offers));
    }

    /** A request for a rank, whose gang can fill for ten seconds. */
    SubWorkerEffect registration(int rank) {
      return new SubWorkerEffect.Register("g", List.of(rank), now.service() + 10_000);
    }

    List<SubWorkerEffect> kept(int slots, int soon) {
      return on(new SubWorkerEvent.SlotsKept(question, slots, soon));
    }
  }

  @Test
  void offers_wait_for_slots_that_are_expected_and_the_others_are_put_back() {
    Full full = new Full();
    var offered = full.offered(3);
    assertThat(full.kept(0, 2)).contains(new SubWorkerEffect.PutBackOffers(List.of("h2")));
    assertThat(full.machine.offersThatMayWait(2)).as("both are spoken for").isZero();
    assertThat(full.machine.offersThatMayWait(3)).isEqualTo(1);

    assertThat(full.kept(1, 1)).contains(full.registration(0));
    assertThat(full.kept(2, 0)).contains(full.registration(1));
    assertThat(full.machine.slotsKept()).isEqualTo(2);
  }

  @Test
  void offer_whose_slot_does_not_come_is_put_back_for_others() {
    Full full = new Full();
    var offered = full.offered(1);
    assertThat(full.kept(0, 1)).isEmpty();
    now = now.plus(490);
    assertThat(full.on(new SubWorkerEvent.Tick())).isEmpty();
    now = now.plus(10);
    assertThat(full.on(new SubWorkerEvent.Tick()))
        .contains(new SubWorkerEffect.PutBackOffers(List.of("h0")));
    assertThat(full.machine.idle()).isTrue();
  }

  @Test
  void offer_of_another_job_gets_a_slot_beside_those_of_the_reservation() {
    var reserved =
        machine.on(
            new SubWorkerEvent.Reserved(Reservation.of("other", 3, "boss", Long.MAX_VALUE)), now);
    on(new SubWorkerEvent.Tick());
    on(new SubWorkerEvent.SlotsKept(1, 3, 1));
    on(new SubWorkerEvent.KeepAnswered("other", 3, true));
    assertThat(machine.offersThatMayWait(1)).isEqualTo(1);

    offer("h0", 0);

    assertThat(last(SubWorkerEffect.WantSlots.class).slots()).isEqualTo(4);
    assertThat(last(SubWorkerEffect.Register.class).ranks()).containsExactly(0);
    assertThat(machine.slotsToOffer()).isZero();
  }

  @Test
  void no_offer_waits_for_slots_that_the_reservation_needs() {
    Full full = new Full();
    var reserved =
        full.on(new SubWorkerEvent.Reserved(Reservation.of("other", 3, "boss", Long.MAX_VALUE)));

    assertThat(full.machine.offersThatMayWait(3)).isZero();
    assertThat(full.machine.offersThatMayWait(4)).isEqualTo(1);
  }

  @Test
  void ranks_are_ended_after_half_a_lease_of_the_managers_silence() {
    seated(0);
    assertThat(start(1, 0)).isTrue();
    later(7_400);
    assertThat(count(SubWorkerEffect.KillRanks.class)).isZero();
    later(100);

    assertThat(last(SubWorkerEffect.KillRanks.class).job()).isEqualTo(JOB);
  }

  @Test
  void machine_that_slept_ends_its_ranks_by_the_services_clock() {
    seated(0);
    assertThat(start(1, 0)).isTrue();
    now = new Moment(now.mono(), now.service() + 7_500);
    on(new SubWorkerEvent.Tick());

    assertThat(count(SubWorkerEffect.KillRanks.class)).isEqualTo(1);
  }

  @Test
  void ranks_end_before_what_is_left_of_the_managers_lease() {
    offer("h", 0);
    on(new SubWorkerEvent.Welcomed("g", List.of(0), List.of(0), 5_000, now));
    assertThat(start(1, 0)).isTrue();
    later(3_000);

    assertThat(count(SubWorkerEffect.KillRanks.class)).isEqualTo(1);
  }

  @Test
  void order_to_start_that_comes_again_late_starts_nothing_and_is_no_refusal() {
    seated(0);
    assertThat(start(1, 0)).isTrue();
    on(new SubWorkerEvent.RankEnded("g", new GangEvent.Ended(JOB, 1, 0, GangEvent.How.WELL)));

    assertThat(start(1, 0)).isTrue();
    on(new SubWorkerEvent.DissolveOrdered("g"));
    assertThat(machine.idle()).as("nothing runs").isTrue();
  }

  @Test
  void order_that_comes_twice_before_the_ranks_are_granted_has_two_answers() {
    offer("h0", 0);
    on(new SubWorkerEvent.StartOrdered(1, "g", JOB, 1, List.of(0)));
    on(new SubWorkerEvent.StartOrdered(2, "g", JOB, 1, List.of(0)));
    on(new SubWorkerEvent.Welcomed("g", List.of(0), List.of(0), 15_000, now));

    assertThat(effects.stream().filter(SubWorkerEffect.StartAnswer.class::isInstance))
        .containsExactly(
            new SubWorkerEffect.StartAnswer(1, "g", false),
            new SubWorkerEffect.StartAnswer(2, "g", true));
  }

  @Test
  void order_to_start_that_overtakes_the_welcome_waits_for_it() {
    offer("h", 0);
    on(new SubWorkerEvent.StartOrdered(1, "g", JOB, 1, List.of(0)));
    assertThat(count(SubWorkerEffect.StartAnswer.class)).isZero();
    on(new SubWorkerEvent.Welcomed("g", List.of(0), List.of(0), 15_000, now));

    assertThat(last(SubWorkerEffect.StartAnswer.class).starts()).isTrue();
  }

  @Test
  void order_to_start_that_overtakes_a_lost_welcome_is_refused() {
    offer("h", 0);
    on(new SubWorkerEvent.StartOrdered(1, "g", JOB, 1, List.of(0)));
    on(new SubWorkerEvent.RegisterFailed("g", List.of(0)));

    assertThat(last(SubWorkerEffect.StartAnswer.class).starts()).isFalse();
    assertThat(machine.idle()).isTrue();
  }

  @Test
  void ranks_whose_manager_cannot_call_this_worker_are_left_to_others() {
    offer("h0", 0);

    on(new SubWorkerEvent.Unreached("g", List.of(0)));

    assertThat(last(SubWorkerEffect.PutBackOffers.class).handles()).containsExactly("h0");
    assertThat(count(SubWorkerEffect.DeleteOffers.class)).isZero();
    assertThat(machine.idle()).isTrue();
    seated(1);
    assertThat(machine.has("g")).as("it may be called now").isTrue();
  }

  @Test
  void answer_about_the_job_before_does_not_stop_ranks_that_start_in_the_same_millisecond() {
    seated(0);
    assertThat(start(1, 0)).isTrue();
    on(new SubWorkerEvent.RankEnded("g", new GangEvent.Ended(JOB, 1, 0, GangEvent.How.FAILED)));
    Moment asked = now;

    assertThat(start(2, 0)).isTrue();
    on(new SubWorkerEvent.Answered("g", true, 0, 1, asked));

    assertThat(count(SubWorkerEffect.KillRanks.class)).isZero();
    later(2_500);
    on(new SubWorkerEvent.Answered("g", true, 0, 0, now));
    assertThat(count(SubWorkerEffect.KillRanks.class)).isEqualTo(1);
  }

  @Test
  void ended_ranks_are_told_until_the_manager_knows() {
    seated(0);
    assertThat(start(1, 0)).isTrue();
    on(new SubWorkerEvent.RankEnded("g", new GangEvent.Ended(JOB, 1, 0, GangEvent.How.WELL)));
    assertThat(last(SubWorkerEffect.Beat.class).ended()).hasSize(1);
    on(new SubWorkerEvent.BeatFailed("g"));
    later(250);
    assertThat(last(SubWorkerEffect.Beat.class).ended()).hasSize(1);
    on(new SubWorkerEvent.Answered("g", true, 15_000, 1, now));
    later(2_500);

    assertThat(last(SubWorkerEffect.Beat.class).ended()).isEmpty();
  }

  @Test
  void gang_that_was_left_is_not_joined_again() {
    seated(0);
    later(7_500);
    assertThat(machine.has("g")).isFalse();
    long registered = count(SubWorkerEffect.Register.class);

    offer("again", 1);

    assertThat(count(SubWorkerEffect.Register.class)).isEqualTo(registered);
    assertThat(last(SubWorkerEffect.DeleteOffers.class).handles()).containsExactly("again");
  }

  @Test
  void free_slots_are_kept_for_the_reservation_and_given_up_when_it_ends() {
    on(new SubWorkerEvent.Reserved(Reservation.of(JOB, 3, "boss", Long.MAX_VALUE)));

    assertThat(machine.slotsKept()).isEqualTo(3);
    assertThat(last(SubWorkerEffect.Keep.class)).isEqualTo(new SubWorkerEffect.Keep(JOB, 0, 3));
    on(new SubWorkerEvent.KeepAnswered(JOB, 3, true));
    on(new SubWorkerEvent.Reserved(null));
    assertThat(machine.slotsKept()).isZero();
  }

  @Test
  void no_more_slots_are_kept_than_others_leave() {
    on(
        new SubWorkerEvent.Reserved(
            new Reservation(JOB, 5, "boss", false, Map.of("other", 3), Long.MAX_VALUE)));

    assertThat(machine.slotsKept()).isEqualTo(2);
  }

  @Test
  void keeping_that_was_refused_is_told_again_after_a_while() {
    on(new SubWorkerEvent.Reserved(Reservation.of(JOB, 3, "boss", Long.MAX_VALUE)));
    on(new SubWorkerEvent.KeepAnswered(JOB, 3, false));
    assertThat(count(SubWorkerEffect.Keep.class)).isEqualTo(1);
    later(500);

    assertThat(count(SubWorkerEffect.Keep.class)).isEqualTo(2);
  }

  @Test
  void drain_lets_ranks_end_and_tells_their_manager_before_it_leaves() {
    seated(0);
    assertThat(start(1, 0)).isTrue();
    on(new SubWorkerEvent.Drain());
    assertThat(machine.has("g")).isTrue();
    assertThat(last(SubWorkerEffect.Beat.class).leaving()).isTrue();
    on(new SubWorkerEvent.RankEnded("g", new GangEvent.Ended(JOB, 1, 0, GangEvent.How.WELL)));
    on(new SubWorkerEvent.Answered("g", true, 15_000, 0, now));
    assertThat(last(SubWorkerEffect.Beat.class).ended()).hasSize(1);
    on(new SubWorkerEvent.Answered("g", true, 15_000, 1, now));
    assertThat(machine.idle()).isFalse();
    on(new SubWorkerEvent.DissolveOrdered("g"));

    assertThat(machine.idle()).isTrue();
  }

  @Test
  void kill_ends_what_runs_and_tells_its_manager_before_it_leaves() {
    seated(0);
    seated(1);
    on(new SubWorkerEvent.StartOrdered(1, "g", JOB, 1, List.of(0, 1)));
    on(new SubWorkerEvent.Kill());
    assertThat(count(SubWorkerEffect.KillRanks.class)).isEqualTo(1);
    on(new SubWorkerEvent.Answered("g", true, 15_000, 0, now));
    on(new SubWorkerEvent.RankEnded("g", GangBench.ended(0, GangEvent.How.KILLED)));
    on(new SubWorkerEvent.RankEnded("g", GangBench.ended(1, GangEvent.How.WELL)));
    SubWorkerEffect.Beat told = last(SubWorkerEffect.Beat.class);
    assertThat(told.leaving()).isTrue();
    assertThat(told.ended()).contains(GangBench.ended(0, GangEvent.How.KILLED));
    on(new SubWorkerEvent.Kill()); // it is said again and again
    on(new SubWorkerEvent.Answered("g", true, 0, 2, now));
    on(new SubWorkerEvent.DissolveOrdered("g"));

    assertThat(count(SubWorkerEffect.KillRanks.class)).isEqualTo(1);
    assertThat(machine.idle()).isTrue();
  }

  @Test
  void order_to_start_after_kill_is_refused() {
    seated(0);
    on(new SubWorkerEvent.Kill());

    assertThat(start(1, 0)).isFalse();
  }

  @Test
  void order_to_start_that_crosses_the_word_of_leaving_is_carried_out() {
    seated(0);
    on(new SubWorkerEvent.Drain());
    assertThat(last(SubWorkerEffect.Beat.class).leaving()).isTrue();

    assertThat(start(1, 0)).isTrue();
  }

  @Test
  void drain_while_a_beat_is_under_way_is_told_by_the_next_one_and_again_if_that_fails() {
    seated(0);
    later(2_500);
    assertThat(last(SubWorkerEffect.Beat.class).leaving()).isFalse();
    on(new SubWorkerEvent.Drain());
    on(new SubWorkerEvent.Answered("g", true, 15_000, 0, now));
    assertThat(last(SubWorkerEffect.Beat.class).leaving()).isTrue();
    long beats = count(SubWorkerEffect.Beat.class);
    on(new SubWorkerEvent.BeatFailed("g"));
    later(250);

    assertThat(count(SubWorkerEffect.Beat.class)).isEqualTo(beats + 1);
    on(new SubWorkerEvent.Answered("g", false, 0, 0, now));
    assertThat(machine.idle()).isTrue();
  }

  @Test
  void answer_that_took_long_is_followed_by_the_next_beat_at_once() {
    seated(0);
    later(2_500);
    long beats = count(SubWorkerEffect.Beat.class);
    Moment asked = now;
    later(3_000);
    on(new SubWorkerEvent.Answered("g", true, 15_000, 0, asked));

    assertThat(count(SubWorkerEffect.Beat.class)).isEqualTo(beats + 1);
  }

  @Test
  void drain_ends_by_the_silence_of_the_manager_at_the_latest() {
    seated(0);
    on(new SubWorkerEvent.Drain());
    later(7_000);
    assertThat(machine.idle()).isFalse();
    later(1_000);

    assertThat(machine.idle()).isTrue();
  }

  @Test
  void slots_that_are_kept_for_one_job_are_not_offered_to_the_ranks_of_others() {
    on(new SubWorkerEvent.Reserved(Reservation.of(JOB, 3, "boss", Long.MAX_VALUE)));
    on(new SubWorkerEvent.KeepAnswered(JOB, 3, true));
    assertThat(machine.slotsKept()).isEqualTo(3);
    assertThat(machine.slotsToOffer()).isZero();
    on(
        new SubWorkerEvent.Reserved(
            new Reservation(JOB, 3, "boss", true, Map.of("w", 3), Long.MAX_VALUE)));

    assertThat(machine.slotsToOffer()).isEqualTo(3);
  }
}
