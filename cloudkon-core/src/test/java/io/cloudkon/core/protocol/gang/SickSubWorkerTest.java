package io.cloudkon.core.protocol.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A sub-worker that can start nothing takes no ranks, and its gangs do not count on it. */
class SickSubWorkerTest {
  private static final String JOB = "run/e/0";

  private final SubWorkerMachine machine = new SubWorkerMachine(GangBench.settings("w", 4, 0));
  private final List<SubWorkerEffect> effects = new ArrayList<>();
  private Moment now = new Moment(10_000, 3_000_000);

  private void on(SubWorkerEvent event) {
    for (SubWorkerEffect effect : machine.on(event, now)) {
      effects.add(effect);
      if (effect instanceof SubWorkerEffect.WantSlots want) {
        on(new SubWorkerEvent.SlotsKept(want.question(), want.slots(), 0));
      }
    }
  }

  private void offer(String handle) {
    on(
        new SubWorkerEvent.Offered(
            List.of(new SubWorkerEvent.Offer(handle, "g", JOB, 0, now.service() + 10_000))));
  }

  private <E> E last(Class<E> kind) {
    return effects.stream().filter(kind::isInstance).map(kind::cast).toList().getLast();
  }

  @Test
  void offers_are_put_back_until_it_recovers() {
    on(new SubWorkerEvent.FellSick());

    offer("h1");

    assertThat(effects).containsExactly(new SubWorkerEffect.PutBackOffers(List.of("h1")));
    assertThat(machine.offersThatMayWait(0)).isZero();
    on(new SubWorkerEvent.Recovered());
    offer("h2");
    assertThat(last(SubWorkerEffect.Register.class).ranks()).containsExactly(0);
  }

  @Test
  void slots_for_the_reservation_are_given_back_to_the_ledger_and_kept_again_later() {
    on(new SubWorkerEvent.Reserved(Reservation.of(JOB, 3, "boss", Long.MAX_VALUE)));
    on(new SubWorkerEvent.KeepAnswered(JOB, 3, true));
    assertThat(machine.slotsKept()).isEqualTo(3);

    on(new SubWorkerEvent.FellSick());

    assertThat(machine.slotsKept()).isZero();
    assertThat(last(SubWorkerEffect.Keep.class)).isEqualTo(new SubWorkerEffect.Keep(JOB, 3, 0));
    on(new SubWorkerEvent.KeepAnswered(JOB, 0, true));
    on(new SubWorkerEvent.Recovered());
    assertThat(machine.slotsKept()).isEqualTo(3);
    assertThat(last(SubWorkerEffect.Keep.class)).isEqualTo(new SubWorkerEffect.Keep(JOB, 0, 3));
  }

  @Test
  void manager_hears_that_it_leaves_and_its_running_rank_goes_on() {
    offer("h");
    on(new SubWorkerEvent.Welcomed("g", List.of(0), List.of(0), 15_000, now));
    on(new SubWorkerEvent.StartOrdered(1, "g", JOB, 1, List.of(0)));

    on(new SubWorkerEvent.FellSick());

    assertThat(last(SubWorkerEffect.Beat.class).leaving()).isTrue();
    assertThat(effects).noneMatch(SubWorkerEffect.KillRanks.class::isInstance);
    on(new SubWorkerEvent.Answered("g", true, 15_000, 0, now));
    on(new SubWorkerEvent.Recovered());
    now = now.plus(5_000);
    on(new SubWorkerEvent.Tick());
    assertThat(last(SubWorkerEffect.Beat.class).leaving()).isFalse();
  }
}
