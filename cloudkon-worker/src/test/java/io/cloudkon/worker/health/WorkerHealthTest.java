package io.cloudkon.worker.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.protocol.health.HealthEffect;
import io.cloudkon.core.protocol.health.HealthSettings;
import io.cloudkon.core.protocol.health.Sickness;
import io.cloudkon.core.testing.ManualTime;
import io.cloudkon.worker.execute.Interruption;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class WorkerHealthTest {
  private static final Sickness FULL = new Sickness.Scratch("full");
  private static final Sickness SERVICE = new Sickness.Service("denied");
  private static final Sickness REFUSED = new Sickness.BlobStore("denied");

  private final ManualTime time = new ManualTime();
  private final List<HealthEffect> told = new ArrayList<>();
  private final WorkerHealth health =
      new WorkerHealth(HealthSettings.DEFAULT, time, Runnable::run, told::add);
  private volatile boolean broken = true;

  private void attempt() throws IOException {
    if (broken) {
      throw new IOException("broken");
    }
  }

  private void pass(long millis) {
    time.advanceMillis(millis);
    health.tick();
  }

  @Test
  void probe_that_succeeds_leaves_the_failure_to_the_task() {
    broken = false;

    assertThat(health.isSick(FULL, this::attempt)).isFalse();

    assertThat(told).isEmpty();
    assertThat(health.sick()).isFalse();
  }

  @Test
  void probe_that_fails_makes_sick_until_all_that_failed_works() {
    assertThat(health.isSick(FULL, this::attempt)).isTrue();
    assertThat(told).containsExactly(new HealthEffect.BecomeSick(FULL));
    boolean[] refused = {true};
    assertThat(
            health.isSick(
                REFUSED,
                () -> {
                  if (refused[0]) {
                    throw new IOException("denied");
                  }
                }))
        .isTrue();

    broken = false;
    pass(1_000);
    assertThat(told).last().isEqualTo(new HealthEffect.StaySick(REFUSED));
    refused[0] = false;
    pass(2_000);

    assertThat(health.sick()).isFalse();
    assertThat(told).last().isEqualTo(new HealthEffect.Recover(REFUSED, 3_000));
  }

  /** As that of a rank whose job is ended while its worker is in doubt. */
  @Test
  void probe_that_is_broken_off_says_nothing_of_the_worker() {
    assertThat(
            health.isSick(
                FULL,
                () -> {
                  Thread.currentThread().interrupt();
                  throw new IOException("interrupted");
                }))
        .as("nor is it the task's failure")
        .isTrue();
    assertThat(Thread.interrupted()).isTrue();

    assertThat(health.sick()).isFalse();
    assertThat(told).isEmpty();
    assertThat(health.isSick(FULL, this::attempt)).isTrue();
    assertThat(health.sick()).isTrue();
  }

  @Test
  void worker_that_is_sick_for_too_long_ends() {
    boolean unused = health.isSick(FULL, this::attempt);

    pass(300_000);

    assertThat(told).last().isEqualTo(new HealthEffect.End(FULL));
  }

  @Test
  void running_task_that_makes_its_worker_sick_is_found_and_the_worker_goes_on() throws Exception {
    Interruption bundle = new Interruption();
    RunningTask older = health.running(bundle);
    RunningTask newer = health.running(bundle);
    boolean unused = health.isSick(FULL, this::attempt);
    CompletableFuture<Boolean> newerGuilty = ends(newer, () -> {});
    CompletableFuture<Boolean> olderGuilty = ends(older, () -> broken = false);

    pass(300_000);

    assertThat(newerGuilty.get()).isFalse();
    assertThat(olderGuilty.get()).isTrue();
    assertThat(told).last().isEqualTo(new HealthEffect.Recover(FULL, 300_000));
    assertThat(bundle.killed()).isFalse();
  }

  @Test
  void worker_that_a_service_refuses_ends_and_leaves_what_runs_alone() {
    RunningTask task = health.running(new Interruption());
    boolean unused = health.isSick(SERVICE, this::attempt);

    pass(300_000);

    assertThat(told).last().isEqualTo(new HealthEffect.End(SERVICE));
    assertThat(task.interruption().killed()).isFalse();
    assertThat(task.madeWorkerSick()).isFalse();
  }

  @Test
  void refusal_beside_a_full_disk_neither_clears_nor_blames_more_than_the_disk_does()
      throws Exception {
    RunningTask older = health.running(new Interruption());
    RunningTask newer = health.running(new Interruption());
    boolean unused = health.isSick(SERVICE, this::attempt);
    boolean[] full = {true};
    unused =
        health.isSick(
            FULL,
            () -> {
              if (full[0]) {
                throw new IOException("full");
              }
            });
    pass(1_000);
    assertThat(told).last().isEqualTo(new HealthEffect.StaySick(FULL));
    CompletableFuture<Boolean> guilty = ends(newer, () -> full[0] = false);

    pass(299_000);

    assertThat(guilty.get()).isTrue();
    assertThat(older.interruption().killed()).isFalse();
    assertThat(told).last().isEqualTo(new HealthEffect.End(SERVICE));
  }

  @Test
  void disk_that_is_free_again_by_the_last_look_costs_no_task() {
    RunningTask task = health.running(new Interruption());
    boolean unused = health.isSick(FULL, this::attempt);

    broken = false;
    pass(300_000);

    assertThat(task.interruption().killed()).isFalse();
    assertThat(told).last().isEqualTo(new HealthEffect.Recover(FULL, 300_000));
  }

  @Test
  void probe_that_ends_in_an_error_is_one_that_failed() {
    Error[] broke = {new LinkageError("no such class")};
    boolean sick =
        health.isSick(
            FULL,
            () -> {
              if (broke[0] != null) {
                throw broke[0];
              }
            });

    assertThat(sick).isTrue();
    assertThat(told).containsExactly(new HealthEffect.BecomeSick(FULL));
    pass(1_000);
    assertThat(health.sick()).isTrue();
    broke[0] = null;
    pass(2_000);

    assertThat(told).last().isEqualTo(new HealthEffect.Recover(FULL, 3_000));
    assertThat(health.sick()).isFalse();
  }

  /** A slot whose task ends when it is interrupted. */
  private static CompletableFuture<Boolean> ends(RunningTask task, Runnable gone) {
    CompletableFuture<Boolean> guilty = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          while (!task.interruption().killed()) {
            Thread.yield();
          }
          gone.run();
          guilty.complete(task.madeWorkerSick());
          task.close();
        });
    return guilty;
  }
}
