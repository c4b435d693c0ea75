package io.cloudkon.core.contract;

import static io.cloudkon.core.contract.Ledgers.LEASE_END;
import static io.cloudkon.core.contract.Ledgers.join;
import static io.cloudkon.core.contract.Ledgers.reservation;
import static io.cloudkon.core.contract.Ledgers.reserve;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.cloudkon.core.port.CapacityLedger;
import io.cloudkon.core.protocol.capacity.LedgerCounter;
import io.cloudkon.core.protocol.capacity.Waiting;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every {@link CapacityLedger} does with the jobs that wait. */
public abstract class WaitingJobsContract extends PortContract {
  private static final String JOB = "run/epoch/12";

  private CapacityLedger ledger() {
    return cluster().hpc().ledger();
  }

  private static Waiting waiting(String job, int ranks, String worker) {
    return new Waiting(job, ranks, LEASE_END - 60_000, worker, LEASE_END);
  }

  private List<Waiting> jobs() {
    return Ledgers.sorted(ledger().view()).waiting();
  }

  @Test
  void put_writes_every_field() {
    Waiting job = waiting(JOB, 4, "w");

    ledger().put(job);

    assertThat(jobs()).containsExactly(job);
  }

  @Test
  void put_again_replaces_what_stands_there_whoever_wrote_it() {
    ledger().put(waiting(JOB, 4, "w"));
    Waiting later = new Waiting(JOB, 4, LEASE_END - 60_000, "v", LEASE_END + 15_000);

    ledger().put(later);

    assertThat(jobs()).containsExactly(later);
  }

  @Test
  void put_again_leaves_since_when_the_job_waits() {
    Waiting first = waiting(JOB, 4, "w");
    ledger().put(first);

    ledger().put(new Waiting(JOB, 4, first.since() + 30_000, "v", LEASE_END + 15_000));
    ledger().put(new Waiting(JOB, 4, first.since() - 1, "v", LEASE_END + 16_000));

    assertThat(jobs()).containsExactly(new Waiting(JOB, 4, first.since(), "v", LEASE_END + 16_000));
    ledger().removeWaiting(JOB, "v");
    ledger().put(new Waiting(JOB, 4, first.since() + 30_000, "v", LEASE_END));
    assertThat(jobs()).containsExactly(new Waiting(JOB, 4, first.since() + 30_000, "v", LEASE_END));
  }

  @Test
  void remove_removes_that_job_only() {
    ledger().put(waiting(JOB, 4, "w"));
    ledger().put(waiting("run/epoch/13", 2, "w"));

    ledger().removeWaiting(JOB, "w");

    assertThat(jobs()).containsExactly(waiting("run/epoch/13", 2, "w"));
  }

  @Test
  void remove_leaves_what_another_worker_wrote() {
    ledger().put(waiting(JOB, 4, "w"));

    ledger().removeWaiting(JOB, "v");

    assertThat(jobs()).containsExactly(waiting(JOB, 4, "w"));
  }

  @Test
  void remove_of_an_unknown_job_is_no_failure() {
    assertThatCode(() -> ledger().removeWaiting(JOB, "w")).doesNotThrowAnyException();
  }

  @Test
  void jobs_whose_lease_is_over_are_shown_until_they_are_removed() {
    Waiting old = new Waiting(JOB, 4, 1, "w", fixture().serviceMillis() - 60_000);

    ledger().put(old);

    assertThat(jobs()).containsExactly(old);
  }

  @Test
  void waiting_jobs_are_nothing_to_the_sums() {
    assertThat(ledger().change(join("w", 4))).isTrue();
    assertThat(ledger().change(reserve(reservation(JOB, "w", 3)))).isTrue();

    ledger().put(waiting(JOB, 3, "w"));
    ledger().removeWaiting(JOB, "w");

    assertThat(ledger().counter()).isEqualTo(new LedgerCounter(4, 3));
    assertThat(ledger().view().reservation()).isEqualTo(reservation(JOB, "w", 3));
  }
}
