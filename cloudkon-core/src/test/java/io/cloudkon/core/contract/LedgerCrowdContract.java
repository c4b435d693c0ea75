package io.cloudkon.core.contract;

import static io.cloudkon.core.contract.Ledgers.admit;
import static io.cloudkon.core.contract.Ledgers.admitReserved;
import static io.cloudkon.core.contract.Ledgers.gang;
import static io.cloudkon.core.contract.Ledgers.join;
import static io.cloudkon.core.contract.Ledgers.leave;
import static io.cloudkon.core.contract.Ledgers.reservation;
import static io.cloudkon.core.contract.Ledgers.reserve;
import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.port.CapacityLedger;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.capacity.LedgerChange;
import io.cloudkon.core.protocol.capacity.LedgerCounter;
import io.cloudkon.core.protocol.capacity.Share;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What every {@link CapacityLedger} does with many callers at a time: the sums are always right,
 * nobody is admitted too many, and conflicts are nothing but {@link TransientServiceException}.
 */
public abstract class LedgerCrowdContract extends PortContract {
  private static final int CALLERS = 12;
  private static final int SLOTS = 8;

  private CapacityLedger ledger() {
    return cluster().hpc().ledger();
  }

  /** How often each caller tries. */
  protected int rounds() {
    return 20;
  }

  private boolean change(LedgerChange change) {
    return Insist.on(() -> ledger().change(change));
  }

  /** All callers at the same moment; any failure of one is a failure. */
  private static <T> List<T> crowd(int callers, IntFunction<T> each) {
    CyclicBarrier begin = new CyclicBarrier(callers);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<T>> calls = new ArrayList<>();
      for (int i = 0; i < callers; i++) {
        int number = i;
        calls.add(() -> {
          begin.await();
          return each.apply(number);
        });
      }
      List<T> answers = new ArrayList<>();
      for (Future<T> answer : threads.invokeAll(calls)) {
        answers.add(answer.get());
      }
      return answers;
    } catch (Exception e) {
      throw new AssertionError("a caller failed", e);
    }
  }

  @Test
  void gangs_that_come_and_go_never_take_more_than_there_is() {
    assertThat(change(join("w1", SLOTS / 2)) && change(join("w2", SLOTS / 2))).isTrue();
    AtomicInteger taken = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();

    List<Integer> admitted =
        crowd(
            CALLERS,
            caller -> {
              int times = 0;
              for (int round = 0; round < rounds(); round++) {
                Share gang = gang("g-%d-%d".formatted(caller, round), "m" + caller, 1 + caller % 4);
                if (change(admit(0, gang))) {
                  times++;
                  most.accumulateAndGet(taken.addAndGet(gang.slots()), Math::max);
                  taken.addAndGet(-gang.slots());
                  assertThat(change(leave(gang))).isTrue();
                }
              }
              return times;
            });

    assertThat(admitted.stream().mapToInt(Integer::intValue).sum()).isGreaterThanOrEqualTo(SLOTS);
    assertThat(most.get()).isBetween(1, SLOTS);
    assertThat(ledger().counter()).isEqualTo(new LedgerCounter(SLOTS, 0));
    assertThat(ledger().view().shares()).hasSize(2);
  }

  @Test
  void last_slots_go_to_as_many_as_there_are() {
    assertThat(change(join("w", SLOTS))).isTrue();

    List<Boolean> admitted =
        crowd(CALLERS, caller -> change(admit(0, gang("g" + caller, "m" + caller, 2))));

    assertThat(admitted).filteredOn(Boolean::booleanValue).hasSize(SLOTS / 2);
    assertThat(ledger().counter()).isEqualTo(LedgerCounter.NONE);
    assertThat(ledger().view().shares()).hasSize(1 + SLOTS / 2);
  }

  @Test
  void same_change_of_many_callers_happens_once() {
    assertThat(change(join("w", SLOTS))).isTrue();
    LedgerChange admit = admit(0, gang("g", "m", 3));

    assertThat(crowd(CALLERS, caller -> change(admit))).containsOnly(true);

    assertThat(ledger().counter()).isEqualTo(new LedgerCounter(SLOTS - 3, 0));
  }

  @Test
  void one_of_many_sweeps_what_is_expired() {
    Share dead = Share.ofGang("g", "m", 3, "j", 1);
    assertThat(change(join("w", SLOTS)) && change(admit(0, dead))).isTrue();

    List<Boolean> swept = crowd(CALLERS, caller -> change(Ledgers.sweep(dead)));

    assertThat(swept).containsOnlyOnce(true);
    assertThat(ledger().counter()).isEqualTo(new LedgerCounter(SLOTS, 0));
  }

  @Test
  void one_of_many_jobs_gets_the_reservation_and_nobody_its_slots() {
    assertThat(change(join("w", SLOTS))).isTrue();

    List<Boolean> reserved =
        crowd(
            CALLERS,
            caller -> {
              boolean mine = change(reserve(reservation("j-g" + caller, "m" + caller, SLOTS)));
              for (int seen : new int[] {0, SLOTS}) {
                assertThat(change(admit(seen, gang("x%d-%d".formatted(caller, seen), "x", 1))))
                    .as("everything is promised from the first reservation on")
                    .isFalse();
              }
              return mine && change(admitReserved(gang("g" + caller, "m" + caller, SLOTS)));
            });

    assertThat(reserved).containsOnlyOnce(true);
    assertThat(ledger().counter()).isEqualTo(LedgerCounter.NONE);
  }

  @Test
  void slots_that_many_workers_keep_are_never_more_than_the_ranks() {
    assertThat(change(reserve(reservation("j", "m", SLOTS)))).isTrue();

    List<Integer> kept =
        crowd(
            CALLERS,
            caller ->
                (int)
                    IntStream.range(0, 2)
                        .filter(n -> Insist.on(() -> ledger().keep("j", "w" + caller, n, n + 1)))
                        .count());

    assertThat(kept.stream().mapToInt(Integer::intValue).sum()).isEqualTo(SLOTS);
    assertThat(ledger().view().reservation())
        .satisfies(reservation -> assertThat(reservation.heldInAll()).isEqualTo(SLOTS));
  }
}
