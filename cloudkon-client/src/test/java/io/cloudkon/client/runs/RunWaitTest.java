package io.cloudkon.client.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.client.status.Clusters;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.FinishedTasks;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.testing.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunWaitTest {
  private static final Duration NO_WAIT = Duration.ZERO;

  private final ManualTime time = new ManualTime();
  private final Cluster cluster = new MemoryCloud(time).setup("Q");
  private final List<Runnable> meanwhile = new ArrayList<>();
  private final List<RunWait.Look> seen = new ArrayList<>();
  private final RunWait wait = new RunWait(cluster, "r", time, this::pause, seen::add);

  private void pause(long millis) {
    assertThat(seen).as("looks without an end").hasSizeLessThan(100);
    time.advanceMillis(millis);
    if (!meanwhile.isEmpty()) {
      meanwhile.removeFirst().run();
    }
  }

  private RunEntry publish(RunEntry.State state, long leaseLeft, long tasks, long sent) {
    long now = time.serviceMillis();
    RunEntry run = Clusters.run("r", state, now + leaseLeft, tasks, sent, 0);
    assertThat(cluster.runs().create(run)).isTrue();
    return run;
  }

  private void end(RunEntry run) {
    RunEntry ended =
        run.with(
            RunEntry.State.ENDED, run.leaseEnd(), 10, 10, run.counts(), run.updatedMillis() + 1);
    assertThat(cluster.runs().update(ended)).isTrue();
  }

  @Test
  void run_that_is_not_known_is_an_error() {
    assertThatThrownBy(wait::await)
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("run 'r' is not known in cluster Q");
  }

  @Test
  void client_that_collects_is_waited_for_whatever_workers_say() throws Exception {
    RunEntry run = publish(RunEntry.State.OPEN, 1_000_000, 10, 10);
    assertThat(cluster.runs().handIn("r", new FinishedTasks(10, 0, 0))).isTrue();
    meanwhile.addAll(List.of(() -> {}, () -> {}, () -> end(run)));

    assertThat(wait.await().why()).isEqualTo(RunWait.Why.ENDED);
    assertThat(seen).hasSize(4);
  }

  @Test
  void cancelled_run_is_over() throws Exception {
    publish(RunEntry.State.OPEN, 1_000_000, 10, 10);
    meanwhile.add(() -> cluster.runs().cancel("r", time.serviceMillis()));

    assertThat(wait.await().why()).isEqualTo(RunWait.Why.CANCELLED);
  }

  @Test
  void run_that_nobody_collects_is_over_when_workers_have_finished_it() throws Exception {
    publish(RunEntry.State.OPEN, -1, 10, 10);
    work();
    cluster
        .workers()
        .put(
            Clusters.finished(Clusters.worker("w", 1, 0), Map.of("r", new FinishedTasks(7, 1, 1))));
    meanwhile.add(() -> cluster.runs().handIn("r", new FinishedTasks(2, 0, 0)));
    meanwhile.add(() -> cluster.runs().handIn("r", new FinishedTasks(1, 0, 0)));

    RunWait.Over over = wait.await();

    assertThat(over.why()).isEqualTo(RunWait.Why.FINISHED);
    assertThat(over.progress().finished()).isEqualTo(10);
    assertThat(over.progress().notSucceeded()).isEqualTo(1);
    assertThat(seen).as("three looks, then 30 s without another count").hasSize(3 + 6);
  }

  @Test
  void counts_that_cover_the_tasks_are_believed_at_once_where_nothing_is_left_to_do()
      throws Exception {
    publish(RunEntry.State.OPEN, -1, 10, 10);
    assertThat(cluster.runs().handIn("r", new FinishedTasks(10, 0, 0))).isTrue();

    assertThat(wait.await().why()).isEqualTo(RunWait.Why.FINISHED);
    assertThat(seen).hasSize(1);
  }

  @Test
  void counts_that_were_lost_are_not_waited_for() throws Exception {
    publish(RunEntry.State.OPEN, -1, 10, 10);
    work();
    meanwhile.add(() -> {});
    meanwhile.add(this::done);

    assertThat(wait.await().why()).isEqualTo(RunWait.Why.NOTHING_LEFT);
    assertThat(seen).as("two looks, then 90 s of quiet").hasSize(2 + 19);
  }

  @Test
  void what_no_client_sends_is_not_waited_for() throws Exception {
    publish(RunEntry.State.OPEN, -1, 10, 6);
    assertThat(cluster.runs().handIn("r", new FinishedTasks(6, 0, 0))).isTrue();

    RunWait.Over over = wait.await();

    assertThat(over.why()).isEqualTo(RunWait.Why.UNSENT);
    assertThat(seen).as("its client may come back meanwhile").hasSize(19);
  }

  private void work() {
    assertThat(cluster.requests().send(List.of(new OutgoingMessage(Map.of(), new byte[] {1}))))
        .isEmpty();
  }

  private void done() {
    try {
      cluster
          .requests()
          .receive(10, NO_WAIT, Duration.ofSeconds(30))
          .forEach(message -> cluster.requests().delete(List.of(message.handle())));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
