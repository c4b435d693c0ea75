package io.cloudkon.worker.gang;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.RankResult;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.time.SystemTime;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One to three workers of a cluster in memory, by their services. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class GangServiceTest {
  private static final Work LONG = new Work.Sleep(60_000);

  @TempDir Path temp;
  private final GangBed bed = new GangBed();

  @AfterEach
  void close() throws Exception {
    bed.close();
  }

  @Test
  void job_runs_on_the_slots_of_its_own_manager() {
    GangBed.Worker a = bed.worker("a", 2);

    TaskResult result = bed.result(bed.send(2, Work.Exec.shell("echo rank $CLOUDKON_RANK")));

    assertThat(result.status()).isEqualTo(TaskStatus.SUCCEEDED);
    assertThat(result.ranks())
        .extracting(r -> new String(r.stdout(), UTF_8))
        .containsExactly("rank 0\n", "rank 1\n");
    assertThat(GangBed.workersOf(result)).containsExactly("a", "a");
    assertThat(bed.cluster.hpc().ranks().depth().waiting()).as("no message for these").isZero();
    bed.awaitFree(2);
    a.gangs.drain();
    a.awaitDrained();
    assertThat(a.gangs.failed()).isFalse();
    assertThat(bed.cluster.hpc().ledger().counter().free()).isZero();
    assertThat(bed.cluster.hpc().jobs().depth().waiting()).isZero();
  }

  @Test
  void ranks_of_two_workers_talk_to_each_other() {
    bed.worker("a", 2);
    bed.worker("b", 2);

    TaskResult result = bed.result(bed.send(4, new Work.JavaCall("ring", List.of("20"))));

    assertThat(result.status()).as(result.error()).isEqualTo(TaskStatus.SUCCEEDED);
    assertThat(new String(result.output(), UTF_8))
        .as("the sum of 0 to 3, 20 times")
        .isEqualTo("120");
    List<String> workers = GangBed.workersOf(result);
    assertThat(workers).hasSize(4);
    assertThat(Collections.frequency(workers, "a")).isEqualTo(2);
    assertThat(Collections.frequency(workers, "b")).isEqualTo(2);
    bed.awaitFree(4);
  }

  @Test
  void own_ranks_whose_slots_went_meanwhile_go_to_whoever_has_some() {
    bed.withholder("a", 2);
    String job = bed.send(2, Work.Noop.INSTANCE);
    await()
        .until(() -> {
          var ranks = bed.cluster.hpc().ranks().depth();
          return ranks.waiting() + ranks.inFlight() == 2;
        });

    bed.worker("b", 2);

    TaskResult result = bed.result(job);
    assertThat(result.status()).isEqualTo(TaskStatus.SUCCEEDED);
    assertThat(GangBed.workersOf(result)).containsExactly("b", "b");
    assertThat(bed.attempts(job)).isEqualTo(1);
  }

  @Test
  void result_of_a_lonely_job_waits_for_no_other_and_one_of_many_does() throws Exception {
    GangBed.Worker a = bed.worker("a", 2);
    Path go = temp.resolve("go");
    String first = bed.send(1, Work.Noop.INSTANCE);
    bed.result(first);
    assertThat(a.host.gathered).containsEntry(first, 0L);
    String slow = bed.send(1, Work.Exec.shell("until test -e " + go + "; do sleep 0.05; done"));
    bed.awaitBusy(a, 1);

    String quick = bed.send(1, Work.Noop.INSTANCE);

    bed.result(quick);
    assertThat(a.host.gathered.get(quick)).isPositive();
    Files.createFile(go);
    bed.result(slow);
    assertThat(a.host.gathered).containsEntry(slow, 0L);
  }

  @Test
  void job_that_is_tried_again_is_one_whose_result_is_to_come() throws Exception {
    GangBed.Worker a = bed.worker("a", 2);
    Path first = temp.resolve("first");
    Path second = temp.resolve("second");
    Path go = temp.resolve("go");
    String fails = "test -e %s || { touch %s; exit 1; }".formatted(first, first);
    String waits = "touch %s; until test -e %s; do sleep 0.05; done".formatted(second, go);
    String slow = bed.send(new Work.Hpc(1, false, Work.Exec.shell(fails + "; " + waits)), 1);
    await().atMost(Duration.ofSeconds(20)).until(() -> Files.exists(second));

    String quick = bed.send(1, Work.Noop.INSTANCE);

    bed.result(quick);
    assertThat(a.host.gathered.get(quick)).isPositive();
    Files.createFile(go);
    assertThat(bed.result(slow).tries()).isEqualTo(2);
  }

  @Test
  void sub_worker_that_drains_is_let_go_by_a_gang_that_is_never_idle_and_no_attempt_is_lost()
      throws Exception {
    // nobody dies, however slow the machine: leases as in production
    try (GangBed unhurried = new GangBed(new SystemTime(), LeaseSettings.DEFAULT)) {
      unhurried.worker("a", 1);
      GangBed.Worker b = unhurried.subWorker("b", 1);
      unhurried.awaitFree(2);
      List<String> jobs = new ArrayList<>();
      jobs.add(unhurried.send(2, Work.Noop.INSTANCE));
      unhurried.result(jobs.getFirst());
      boolean[] drains = {false};
      await()
          .atMost(Duration.ofSeconds(60))
          .pollInterval(Duration.ofMillis(5))
          .until(() -> {
            // The next ones are always there before the last one has ended.
            while (jobs.size() < unhurried.results.size() + 6) {
              jobs.add(unhurried.send(2, Work.Noop.INSTANCE));
            }
            if (!drains[0] && unhurried.results.size() > 10) {
              drains[0] = true;
              b.gangs.drain();
            }
            return b.gangs.drained();
          });
      assertThat(unhurried.results).hasSizeLessThan(jobs.size());

      unhurried.worker("c", 1);

      assertThat(jobs)
          .allSatisfy(job -> {
            assertThat(unhurried.result(job).status()).isEqualTo(TaskStatus.SUCCEEDED);
            assertThat(unhurried.attempts(job)).isEqualTo(1);
          });
      assertThat(GangBed.workersOf(unhurried.result(jobs.getLast())))
          .containsExactlyInAnyOrder("a", "c");
    }
  }

  @Test
  void kill_ends_the_ranks_and_gives_the_job_back() throws Exception {
    Path again = temp.resolve("again");
    GangBed.Worker a = bed.worker("a", 2);
    String job = bed.send(2, Work.Exec.shell("test -e " + again + " || sleep 60"));
    bed.awaitBusy(a, 2);

    a.gangs.kill();

    a.awaitDrained();
    assertThat(a.gangs.busy()).isZero();
    assertThat(bed.cluster.hpc().ledger().counter().free()).isZero();
    assertThat(bed.cluster.claims().read(List.of(job)).get(job).state())
        .isEqualTo(ClaimState.RELEASED);
    Files.createFile(again);
    bed.worker("b", 2);
    TaskResult result = bed.result(job);
    assertThat(result.status()).isEqualTo(TaskStatus.SUCCEEDED);
    assertThat(GangBed.workersOf(result)).containsExactly("b", "b");
  }

  @Test
  void sub_worker_that_kills_its_ranks_says_so_and_no_attempt_is_lost() throws Exception {
    Path again = temp.resolve("again");
    bed.worker("a", 1);
    GangBed.Worker b = bed.subWorker("b", 1);
    bed.awaitFree(2);
    String job = bed.send(2, Work.Exec.shell("test -e " + again + " || sleep 60"));
    bed.awaitBusy(b, 1);
    Files.createFile(again);

    b.gangs.kill();

    b.awaitDrained();
    bed.worker("c", 1);
    TaskResult result = bed.result(job);
    assertThat(result.status()).as(result.error()).isEqualTo(TaskStatus.SUCCEEDED);
    assertThat(GangBed.workersOf(result)).containsExactlyInAnyOrder("a", "c");
    assertThat(bed.attempts(job)).isEqualTo(1);
  }

  @Test
  void rank_that_is_ended_with_its_job_shows_what_it_had_printed() {
    bed.worker("a", 2);
    Path said = temp.resolve("said");
    String line =
        "test $CLOUDKON_RANK = 1 && { until test -e %1$s; do sleep 0.02; done; exit 3; }; "
            + "echo step 1; touch %1$s; sleep 60";

    TaskResult result = bed.result(bed.send(2, Work.Exec.shell(line.formatted(said))));

    assertThat(result.exitCode()).isEqualTo(3);
    assertThat(result.error()).startsWith("rank 1: exit code 3");
    RankResult ended = result.ranks().getFirst();
    assertThat(ended.stdout()).isEqualTo("step 1\n".getBytes(UTF_8));
    assertThat(ended.exitCode()).isEqualTo(137);
  }

  @Test
  void job_whose_run_is_cancelled_ends_and_its_gang_serves_the_next() {
    GangBed.Worker a = bed.worker("a", 2);
    String cancelled = bed.send(2, LONG);
    bed.awaitBusy(a, 2);

    a.cancelAll();

    bed.awaitBusy(a, 0);
    await().until(() -> a.gangs.load().jobs() == 0);
    assertThat(bed.result(bed.send(2, Work.Noop.INSTANCE)).status())
        .isEqualTo(TaskStatus.SUCCEEDED);
    assertThat(bed.results).doesNotContainKey(cancelled);
  }

  @Test
  void drain_ends_the_receive_that_is_under_way() {
    GangBed.Worker a = bed.worker("a", 1);
    bed.awaitFree(1);

    a.gangs.drain();

    await().atMost(Duration.ofSeconds(15)).until(a.gangs::drained);
    String late = bed.send(1, Work.Noop.INSTANCE);
    assertThat(bed.cluster.hpc().jobs().depth().waiting()).as(late).isEqualTo(1);
  }

  // ---- MPI jobs whose input is not to be had

  @Test
  void mpi_job_that_is_cancelled_before_it_was_launched_ends_and_its_slots_are_free() {
    AtomicInteger fetches = new AtomicInteger();
    GangBed.Worker a = bed.worker("a", 2, unreachable(fetches));
    bed.send(new Work.Hpc(2, true, stored()));
    await().until(() -> fetches.get() > 1);

    a.cancelAll();

    await().until(() -> a.gangs.load().jobs() == 0);
    bed.awaitFree(2);
  }

  @Test
  void manager_that_drains_while_it_fetches_an_mpi_job_gives_it_back_without_an_attempt() {
    AtomicInteger fetches = new AtomicInteger();
    GangBed.Worker a = bed.worker("a", 2, unreachable(fetches));
    String job = bed.send(new Work.Hpc(2, true, stored()));
    await().until(() -> fetches.get() > 1);

    a.gangs.drain();

    a.awaitDrained();
    assertThat(bed.attempts(job)).isZero();
    assertThat(bed.cluster.hpc().jobs().depth().waiting()).isEqualTo(1);
  }

  // ---- MPI jobs under MPICH's mpiexec

  private static final String HELLO =
      """
      #include <mpi.h>
      #include <stdio.h>
      int main(int argc, char **argv) {
        int rank, sum;
        MPI_Init(&argc, &argv);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (rank == 0) { printf("%s %d\\n", argv[1], sum); }
        MPI_Finalize();
        return 0;
      }
      """;

  @Test
  void mpi_jobs_in_a_row_have_each_its_own_output() throws Exception {
    assumeTrue(
        exitCode("mpicc", "-v") == 0, "not tried: there is no mpicc on the PATH; install mpich");
    assumeTrue(
        exitCode("sh", "-c", "mpiexec.hydra --version | grep -q 'HYDRA build'") == 0,
        "not tried: there is no MPICH mpiexec.hydra on the PATH; install mpich");
    Path source = Files.writeString(temp.resolve("hello.c"), HELLO);
    String program = temp.resolve("hello").toString();
    assertThat(exitCode("mpicc", "-o", program, source.toString())).isZero();
    bed.worker("a", 2);
    bed.worker("b", 1);
    bed.awaitFree(3);

    List<String> jobs = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      Work hello = new Work.Exec(List.of(program, "job-" + i), null, Map.of(), new byte[0]);
      jobs.add(bed.send(new Work.Hpc(3, true, hello)));
    }

    for (int i = 0; i < jobs.size(); i++) {
      TaskResult result = bed.result(jobs.get(i));
      assertThat(result.status()).as(result.error()).isEqualTo(TaskStatus.SUCCEEDED);
      assertThat(new String(result.stdout(), UTF_8)).isEqualTo("job-" + i + " 3\n");
      assertThat(GangBed.workersOf(result)).containsOnly("a", "b");
      assertThat(bed.attempts(jobs.get(i))).isEqualTo(1);
    }
  }

  private int exitCode(String... argv) throws InterruptedException {
    try {
      return new ProcessBuilder(argv)
          .redirectErrorStream(true)
          .redirectOutput(temp.resolve("log").toFile())
          .start()
          .waitFor();
    } catch (IOException e) {
      return 127;
    }
  }

  private static Work stored() {
    return new Work.Stored(Work.Kind.EXEC, new Content("a".repeat(64), 1, ""));
  }

  private static BlobStore unreachable(AtomicInteger calls) {
    return (BlobStore)
        Proxy.newProxyInstance(
            BlobStore.class.getClassLoader(),
            new Class<?>[] {BlobStore.class},
            (proxy, method, args) -> {
              calls.incrementAndGet();
              throw new TransientServiceException("planted", null);
            });
  }

  @Test
  void close_that_is_interrupted_closes_every_part_all_the_same() {
    GangBed.Worker a = bed.worker("a", 1);

    Thread.currentThread().interrupt();

    assertThatThrownBy(a.gangs::close).isInstanceOf(InterruptedException.class);
    assertThatThrownBy(() -> new Socket(a.gangs.address().host(), a.gangs.address().port()).close())
        .as("its port")
        .isInstanceOf(ConnectException.class);
  }
}
