package io.cloudkon.client.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.client.run.RunAccount;
import io.cloudkon.client.run.RunOptions;
import io.cloudkon.client.run.SentBundle;
import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.DecisionStore;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.core.protocol.bundler.BundlePlan;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.completeness.CompletenessSettings;
import io.cloudkon.core.testing.ManualTime;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class BootWatchTest {
  private static final Work UNKNOWN = new Work.JavaCall("unknown", List.of());
  private static final Duration SOON = Duration.ofMillis(2);

  private final ManualTime time = new ManualTime();
  private final MemoryCloud cloud = new MemoryCloud(time);
  private final DecisionStore decisions = decisions();
  private final AtomicInteger reads = new AtomicInteger();
  private final RunAccount account = account(BundlerSettings.DEFAULT);
  private volatile @Nullable RuntimeException failure;

  private DecisionStore decisions() {
    cloud.setup("Q");
    return cloud.cluster("Q").decisions();
  }

  private RunAccount account(BundlerSettings bundler) {
    return new RunAccount(
        new RunOptions(
            "r",
            Consistency.EXACTLY_ONCE,
            1024,
            2,
            0,
            0,
            bundler,
            CompletenessSettings.DEFAULT,
            LeaseSettings.DEFAULT),
        "e",
        time);
  }

  /** Counts what is read, and fails as it is told. */
  private DecisionStore counted() {
    return (DecisionStore)
        Proxy.newProxyInstance(
            DecisionStore.class.getClassLoader(),
            new Class<?>[] {DecisionStore.class},
            (proxy, method, arguments) -> {
              reads.incrementAndGet();
              RuntimeException why = failure;
              if (why != null) {
                throw why;
              }
              try {
                return method.invoke(decisions, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private ProvisionerEntry entry(int live, long lease) {
    long now = time.serviceMillis();
    return new ProvisionerEntry(
        "p",
        "box",
        now + lease,
        new ProvisionerEntry.Settings("process", 0, 3, 2, WorkerTakes.ALL),
        1,
        1,
        new ProvisionerEntry.Fleet(3, live, 3 - live, now, "", Map.of(), 0, 0, 6),
        now);
  }

  private BootWatch watch() {
    return new BootWatch(counted(), account, time, SOON, SOON);
  }

  /** What was read before it has been told by then. */
  private void awaitLooks() {
    int before = reads.get();
    await().until(() -> reads.get() >= before + 2);
  }

  private BundlePlan plan() {
    return account.sending().plan(UNKNOWN, () -> 1_000_000);
  }

  private void probe() throws InterruptedException {
    for (BundlePlan plan = plan(); !plan.waits(); plan = plan()) {
      int tasks = plan.tasks();
      var unused =
          account
              .sending()
              .make(
                  tasks,
                  false,
                  Double.NaN,
                  (sequence, first) ->
                      new SentBundle(sequence, first, tasks, 0, 1, List.of(), 0, 0, 0, 0));
    }
  }

  @Test
  void client_waits_while_workers_boot_and_goes_on_once_they_live() throws Exception {
    assertThat(decisions.take(entry(0, 120_000), Optional.empty())).isTrue();
    try (BootWatch watch = watch()) {
      probe();
      awaitLooks();
      time.advance(Duration.ofSeconds(40));
      awaitLooks();
      assertThat(plan().waits()).isTrue();

      assertThat(decisions.renew(entry(1, 120_000))).isTrue();
      awaitLooks();
      time.advance(Duration.ofSeconds(3));
      assertThat(plan().tasks()).isEqualTo(16);
      assertThat(watch).isNotNull();
    }
  }

  @Test
  void provisioner_whose_lease_is_over_promises_nothing_whether_it_can_be_read_or_not()
      throws Exception {
    assertThat(decisions.take(entry(0, 15_000), Optional.empty())).isTrue();
    try (BootWatch watch = watch()) {
      probe();
      awaitLooks();
      failure = new TransientServiceException("away", null);
      time.advance(Duration.ofSeconds(10));
      awaitLooks();
      assertThat(plan().waits()).isTrue();

      time.advance(Duration.ofSeconds(10));
      awaitLooks();
      time.advance(Duration.ofSeconds(3));
      assertThat(plan().tasks()).isEqualTo(16);
      assertThat(watch).isNotNull();
    }
  }

  @Test
  void watch_that_is_closed_holds_nothing_back_any_more() throws Exception {
    assertThat(decisions.take(entry(0, 120_000), Optional.empty())).isTrue();
    try (BootWatch watch = watch()) {
      probe();
      awaitLooks();
      assertThat(watch).isNotNull();
    }

    time.advance(Duration.ofSeconds(3));

    assertThat(plan().tasks()).isEqualTo(16);
  }

  @Test
  void cluster_without_the_table_is_one_without_a_provisioner() throws Exception {
    failure = new MissingResourceException("table", "Q-decisions", null);
    try (BootWatch watch = watch()) {
      probe();
      await().until(() -> reads.get() > 0);
      time.advance(Duration.ofSeconds(3));
      assertThat(plan().tasks()).isEqualTo(16);
      assertThat(watch).isNotNull();
    }
    assertThat(reads).hasValue(1);
  }

  @Test
  void client_that_does_not_wait_for_answers_asks_nobody() throws Exception {
    RunAccount fixed = account(new BundlerSettings(20, 250, 60 * 1024, true));
    assertThat(fixed.sending().waitsForAnswers()).isFalse();
    assertThat(account(new BundlerSettings(0, 250, 60 * 1024, false)).sending().waitsForAnswers())
        .isFalse();
    new BootWatch(counted(), fixed, time, Duration.ZERO, SOON).close();
    assertThat(reads).hasValue(0);
  }
}
