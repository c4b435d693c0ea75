package io.cloudkon.worker.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.codec.BundleMessages;
import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whole workers on real threads over memory ports, well-behaved and not. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class WorkerServiceTest {
  @TempDir Path temp;

  static Stream<Arguments> storms() {
    return Stream.of(Consistency.values())
        .flatMap(mode -> Stream.of(1, 2, 3).map(seed -> Arguments.of(mode, seed)));
  }

  @ParameterizedTest
  @MethodSource("storms")
  void workers_in_a_storm_of_faults_answer_for_every_task(Consistency mode, int seed)
      throws Exception {
    try (WorkerBed bed = new WorkerBed(Misbehaviour.storm(seed), mode, WorkerBed.SHORT, temp)) {
      List<Integer> bundleOf = new ArrayList<>();
      for (int bundle = 0; bundle < 12; bundle++) {
        int count = 1 + bundle * 7 % 30;
        bed.send(count, "fine");
        bundleOf.addAll(Collections.nCopies(count, bundle));
      }
      bed.worker();
      bed.worker();

      Map<Integer, TaskResult> results = bed.awaitResults();

      for (TaskResult result : results.values()) {
        int starts = bed.starts(result.ordinal());
        switch (mode) {
          case EXACTLY_ONCE -> {
            assertThat(result.status()).isEqualTo(TaskStatus.SUCCEEDED);
            int attempts = bed.attempts(bundleOf.get(result.ordinal()));
            assertThat(starts).isBetween(1, attempts);
          }
          case AT_MOST_ONCE -> {
            assertThat(result.status()).isIn(TaskStatus.SUCCEEDED, TaskStatus.LOST);
            assertThat(starts).isLessThanOrEqualTo(1);
          }
          case AT_LEAST_ONCE -> {
            assertThat(result.status()).isEqualTo(TaskStatus.SUCCEEDED);
            assertThat(starts).isPositive();
          }
        }
      }
      if (mode.claims()) {
        bed.awaitClaimsDone();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("claimed")
  void message_that_is_there_twice_runs_once(Consistency mode) throws Exception {
    try (WorkerBed bed = new WorkerBed(Misbehaviour.none(), mode, LeaseSettings.DEFAULT, temp)) {
      OutgoingMessage message =
          BundleMessages.of(
              new Bundle(bed.header(bed.run, BundleIds.of(bed.run, "e1", 0)), List.of(task(bed))));
      bed.send(1, "fine");
      bed.sendMessage(message);
      bed.sendMessage(message);
      bed.worker();
      bed.worker();

      assertThat(bed.awaitResults().get(0).status()).isEqualTo(TaskStatus.SUCCEEDED);
      bed.awaitClaimsDone();
      await().until(() -> bed.reliable.requests().depth().waiting() == 0);
      assertThat(bed.starts(0)).isEqualTo(1);
    }
  }

  static Stream<Consistency> claimed() {
    return Stream.of(Consistency.EXACTLY_ONCE, Consistency.AT_MOST_ONCE);
  }

  private static Task task(WorkerBed bed) {
    return new Task(0, "1", new Work.JavaCall("witness", List.of(bed.name(0), "fine")), 0);
  }

  @Test
  void handler_that_throws_whatever_it_likes_fails_its_task_only() throws Exception {
    try (WorkerBed bed = calm()) {
      for (String behaviour : List.of("error", "hostile", "talkative")) {
        bed.send(8, behaviour);
      }
      bed.send(8, "fine");
      WorkerService worker = bed.worker();

      Map<Integer, TaskResult> results = bed.awaitResults();

      assertThat(results.values().stream().limit(24))
          .allSatisfy(r -> assertThat(r.status()).isEqualTo(TaskStatus.FAILED))
          .allSatisfy(r -> assertThat(r.error()).isNotEmpty().hasSizeLessThan(5_000));
      assertThat(results.values().stream().skip(24))
          .allSatisfy(r -> assertThat(r.status()).isEqualTo(TaskStatus.SUCCEEDED));
      bed.awaitClaimsDone();
      worker.close();
      assertThat(worker.failed()).isFalse();
    }
  }

  @Test
  void ports_that_throw_what_they_must_not_cost_time_and_nothing_else() throws Exception {
    try (WorkerBed bed = calm()) {
      for (int i = 0; i < 6; i++) {
        bed.send(5, "fine");
      }
      WorkerService worker =
          bed.worker(BrokenPorts.everyThirdCallThrows(bed.cloud.cluster(WorkerBed.QUEUE)), null);

      assertThat(bed.awaitResults().values())
          .allSatisfy(r -> assertThat(r.status()).isEqualTo(TaskStatus.SUCCEEDED));
      bed.awaitClaimsDone();
      worker.close();
      assertThat(worker.failed()).isFalse();
    }
  }

  @Test
  void worker_with_a_deaf_handler_reports_its_timeout_and_leaves_the_rest_to_others()
      throws Exception {
    try (WorkerBed bed = calm()) {
      bed.send(1, "deaf", 50);
      WorkerService stuck = bed.worker();

      assertThat(bed.awaitResults().get(0).status()).isEqualTo(TaskStatus.TIMED_OUT);
      assertThat(stuck.awaitEnd(Duration.ofSeconds(30))).isTrue();
      Witness.release(bed.name(0));

      bed.send(20, "fine");
      bed.worker();
      assertThat(bed.awaitResults()).hasSize(21);
      bed.awaitClaimsDone();
    }
  }

  @ParameterizedTest
  @MethodSource("claimed")
  void drain_in_the_middle_loses_nothing_and_runs_nothing_twice(Consistency mode) throws Exception {
    try (WorkerBed bed = new WorkerBed(Misbehaviour.none(), mode, LeaseSettings.DEFAULT, temp)) {
      for (int i = 0; i < 40; i++) {
        bed.send(50, "fine");
      }
      WorkerService first = bed.worker();
      await().pollInterval(Duration.ofMillis(1)).until(() -> bed.resultsSoFar() > 50);
      first.close();
      bed.worker();

      assertThat(bed.awaitResults().values())
          .allSatisfy(r -> assertThat(r.status()).isEqualTo(TaskStatus.SUCCEEDED))
          .allSatisfy(r -> assertThat(bed.starts(r.ordinal())).isEqualTo(1));
      bed.awaitClaimsDone();
      assertThat(first.failed()).isFalse();
    }
  }

  @Test
  void killed_worker_of_an_at_most_once_run_reports_what_it_began_as_lost() throws Exception {
    try (WorkerBed bed =
        new WorkerBed(Misbehaviour.none(), Consistency.AT_MOST_ONCE, LeaseSettings.DEFAULT, temp)) {
      bed.sendWork(List.of(new Work.Sleep(600_000)), 0);
      WorkerService worker = bed.worker();
      await().until(() -> worker.stats().busy() == 1);

      worker.kill();

      assertThat(bed.awaitResults().get(0).status()).isEqualTo(TaskStatus.LOST);
      worker.close();
      bed.awaitClaimsDone();
    }
  }

  @Test
  void killed_worker_of_an_exactly_once_run_gives_its_task_back() throws Exception {
    try (WorkerBed bed = calm()) {
      bed.sendWork(List.of(new Work.Sleep(600_000)), 0);
      WorkerService worker = bed.worker();
      await().until(() -> worker.stats().busy() == 1);

      worker.kill();
      worker.close();

      assertThat(worker.failed()).isFalse();
      assertThat(bed.reliable.requests().depth().waiting()).isEqualTo(1);
      assertThat(bed.claims().values())
          .allSatisfy(claim -> assertThat(claim.releases()).isEqualTo(1));
    }
  }

  @Test
  void bundle_of_an_unknown_run_is_deleted_and_garbage_goes_to_the_dead_letters() throws Exception {
    try (WorkerBed bed = calm()) {
      bed.sendMessage(
          BundleMessages.of(
              new Bundle(
                  bed.header("nobody", BundleIds.of("nobody", "e1", 0)),
                  List.of(new Task(0, "1", new Work.Sleep(600_000), 0)))));
      bed.sendMessage(new OutgoingMessage(Map.of(), new byte[] {1, 2, 3}));
      bed.sendMessage(new OutgoingMessage(Map.of("reply", "other", "run", "r"), new byte[0]));
      bed.send(5, "fine");
      bed.worker();

      assertThat(bed.awaitResults()).hasSize(5);
      await().until(() -> bed.reliable.dead().depth().waiting() == 2);
      await()
          .atMost(20, TimeUnit.SECONDS)
          .until(() ->
              bed.reliable.requests().depth().waiting() + bed.reliable.requests().depth().inFlight()
                  == 0);
    }
  }

  @Test
  void idle_worker_ends_by_itself_after_its_work() throws Exception {
    try (WorkerBed bed = calm()) {
      bed.send(5, "fine");
      WorkerService worker = bed.worker(bed.cloud.cluster(WorkerBed.QUEUE), Duration.ofMillis(300));

      assertThat(bed.awaitResults()).hasSize(5);
      assertThat(worker.awaitEnd(Duration.ofSeconds(30))).isTrue();
      assertThat(worker.failed()).isFalse();
      bed.awaitClaimsDone();
      assertThat(bed.reliable.workers().list()).isEmpty();
    }
  }

  private WorkerBed calm() throws Exception {
    return new WorkerBed(
        Misbehaviour.none(), Consistency.EXACTLY_ONCE, LeaseSettings.DEFAULT, temp);
  }
}
