package io.cloudkon.client.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.RunStore;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.testing.ManualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whether a run's client lives, by its lease. */
class LeaseWatchTest {
  private final ManualTime time = new ManualTime();
  private final RunStore runs = new MemoryCloud(time).setup("Q").runs();
  private final List<String> said = new ArrayList<>();
  private Runnable meanwhile = () -> {};

  private final LeaseWatch watch =
      new LeaseWatch(
          runs,
          LeaseSettings.DEFAULT,
          time,
          millis -> {
            time.advanceMillis(millis);
            meanwhile.run();
          },
          said::add);

  private RunEntry run(long leaseLeft) {
    long now = time.serviceMillis();
    RunEntry run =
        new RunEntry(
            "r",
            "e",
            RunEntry.State.OPEN,
            Consistency.EXACTLY_ONCE,
            "Q-response-c",
            "c",
            "host, process 7",
            now + leaseLeft,
            "",
            1,
            0,
            Map.of(),
            RemainingWork.UNKNOWN,
            now - 1_000,
            now - 1_000);
    assertThat(runs.create(run)).isTrue();
    return run;
  }

  private void renew(RunEntry run, long leaseMillis) {
    long now = time.serviceMillis();
    var unused = runs.update(run.with(run.state(), now + leaseMillis, 1, 0, Map.of(), now));
  }

  @Test
  void lease_that_is_not_renewed_is_waited_for_and_its_margin_too() throws Exception {
    RunEntry run = run(10_000);
    long begun = time.serviceMillis();

    assertThat(watch.watch(run)).isEqualTo(new LeaseWatch.Found.Free(run));
    assertThat(time.serviceMillis() - begun).isEqualTo(12_000);
    assertThat(said)
        .singleElement()
        .asString()
        .contains("host, process 7", "client c", "waiting up to 12 s");
  }

  @Test
  void lease_that_is_over_for_longer_than_the_margin_is_not_waited_for() throws Exception {
    RunEntry run = run(-2_000);
    assertThat(watch.watch(run)).isEqualTo(new LeaseWatch.Found.Free(run));
    assertThat(said).isEmpty();
  }

  @Test
  void run_that_was_let_go_a_moment_ago_is_not_waited_for() throws Exception {
    RunEntry run = run(-1_000);
    assertThat(watch.watch(run)).isEqualTo(new LeaseWatch.Found.Free(run));
    assertThat(said).isEmpty();
  }

  @Test
  void client_that_renews_lives() throws Exception {
    RunEntry run = run(10_000);
    meanwhile = () -> renew(run, 15_000);

    assertThat(watch.watch(run)).isInstanceOf(LeaseWatch.Found.Held.class);
  }

  @Test
  void client_that_lets_go_meanwhile_is_not_waited_for_any_longer() throws Exception {
    RunEntry run = run(10_000);
    long begun = time.serviceMillis();
    meanwhile = () -> renew(run, 0);

    assertThat(watch.watch(run)).isInstanceOf(LeaseWatch.Found.Free.class);
    assertThat(time.serviceMillis() - begun).isLessThan(2_000);
  }

  @Test
  void run_that_is_cancelled_meanwhile_is_not_taken_for_renewed() throws Exception {
    RunEntry run = run(10_000);
    meanwhile = () -> assertThat(runs.cancel("r", time.serviceMillis())).isPresent();

    assertThat(watch.watch(run))
        .isInstanceOfSatisfying(
            LeaseWatch.Found.Free.class,
            free -> assertThat(free.seen().state()).isEqualTo(RunEntry.State.CANCELLED));
  }

  @Test
  void run_that_ends_meanwhile_is_over() throws Exception {
    RunEntry run = run(10_000);
    meanwhile =
        () -> {
          long now = time.serviceMillis();
          var unused = runs.update(run.with(RunEntry.State.ENDED, now, 1, 1, Map.of(), now));
        };

    assertThat(watch.watch(run)).isInstanceOf(LeaseWatch.Found.Over.class);
  }

  @Test
  void lease_that_ends_next_year_is_waited_for_no_longer_than_a_lease() throws Exception {
    RunEntry run = run(365 * 24 * 3_600_000L);
    long begun = time.serviceMillis();

    assertThat(watch.watch(run)).isInstanceOf(LeaseWatch.Found.Free.class);
    assertThat(time.serviceMillis() - begun).isEqualTo(17_000);
  }
}
