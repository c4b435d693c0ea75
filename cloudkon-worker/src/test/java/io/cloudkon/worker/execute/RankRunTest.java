package io.cloudkon.worker.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.model.AllowedWork;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.worker.execute.guard.Guard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RankRunTest {
  /** A handler for ranks whose behaviour is its first argument. */
  private static final String MANY =
      """
      public class Many implements io.cloudkon.core.handler.RankHandler {
        public String name() { return "many"; }
        public byte[] run(io.cloudkon.core.handler.Communicator world, java.util.List<String> args)
            throws Exception {
          switch (args.get(0)) {
            case "one-throws":
              if (world.rank() == 1) { throw new IllegalStateException("rank 1 has enough"); }
              world.barrier();
              return new byte[0];
            case "deaf":
              java.nio.file.Files.createFile(java.nio.file.Path.of(args.get(1) + world.rank()));
              while (!java.nio.file.Files.exists(java.nio.file.Path.of(args.get(1)))) {
                try { Thread.sleep(5); } catch (InterruptedException e) { }
              }
              return new byte[0];
            default:
              return new byte[1000 * (world.rank() + 1)];
          }
        }
      }
      """;

  private static final Task MPI =
      new Task(0, "m", new Work.Hpc(2, true, Work.Exec.shell("true")), 0);

  @TempDir Path temp;
  private Runs runs;

  @BeforeEach
  void open() throws IOException {
    Path jars = temp.resolve("jars");
    TestJars.rankJarOf(jars.resolve("many.jar"), "Many", MANY);
    runs =
        new Runs(
            Runs.config(1500, null),
            HandlerRegistry.load(jars),
            new Guard(Runs.CONFIG.guardDeadline(), Runs.CONFIG.start()));
  }

  @AfterEach
  void close() throws IOException {
    runs.close();
  }

  @Test
  void ring_passes_its_token_round_and_rank_0_answers_the_sum() {
    List<TaskOutcome> outcomes = new RankSlots(runs, java("ring", "3"), 4).run();

    assertThat(outcomes).allSatisfy(o -> assertThat(o.status()).isEqualTo(TaskStatus.SUCCEEDED));
    assertThat(Runs.text(outcomes.getFirst().output())).isEqualTo("18");
    assertThat(Runs.text(new RankSlots(runs, java("ring"), 1).run().getFirst().output()))
        .isEqualTo("0");
  }

  @Test
  void barrier_tells_how_many_met() {
    assertThat(new RankSlots(runs, java("barrier", "20"), 5).run())
        .allSatisfy(o -> assertThat(Runs.text(o.output())).isEqualTo("5 ranks"));
    assertThat(new RankSlots(runs, java("barrier", "x"), 1).run().getFirst().error())
        .contains("barrier [TIMES]", "'x'");
    assertThat(new RankSlots(runs, java("ring", "0"), 1).run().getFirst().error())
        .contains("ring [ROUNDS]", "at least 1");
  }

  @Test
  void handler_for_tasks_is_called_by_every_rank() {
    assertThat(new RankSlots(runs, java("echo", "hello"), 3).run())
        .allSatisfy(o -> assertThat(Runs.text(o.output())).isEqualTo("hello"));
  }

  @Test
  void unknown_handler_names_those_of_both_kinds() throws Exception {
    assertThat(new RankSlots(runs, java("nobody"), 1).run().getFirst().error())
        .contains("'nobody'", "barrier, echo, many, pi, ring, sha256");
    assertThat(runs.run(Tasks.java("ring")).error())
        .isEqualTo("'ring' is a handler for ranks: a job runs it as hpc N java ring");
  }

  @Test
  void commands_know_their_rank_and_their_job() {
    Work.Exec line =
        new Work.Exec(
            List.of("sh", "-c", "echo $CLOUDKON_RANK/$CLOUDKON_SIZE $CLOUDKON_JOB $MINE"),
            null,
            Map.of("MINE", "own"),
            new byte[0]);

    List<TaskOutcome> outcomes = new RankSlots(runs, job(line, 0), 2).run();

    assertThat(outcomes.stream().map(o -> Runs.text(o.stdout())))
        .containsExactly("0/2 job-7 own\n", "1/2 job-7 own\n");
  }

  @Test
  void rank_that_fails_by_itself_fails_alone_until_the_others_are_killed() {
    RankSlots slots = new RankSlots(runs, java("many", "one-throws"), 3);
    List<CompletableFuture<TaskOutcome>> outcomes = slots.start();

    assertThat(outcomes.get(1).join().error()).contains("rank 1 has enough");
    assertThat(outcomes.getFirst()).isNotDone();
    runs.interruption.kill("rank 1 failed");

    assertThat(Runs.failure(outcomes.getFirst()))
        .isInstanceOf(TaskInterruptedException.class)
        .hasMessage("rank 1 failed");
    assertThat(Runs.failure(outcomes.get(2))).isInstanceOf(TaskInterruptedException.class);
    assertThat(runs.stuck).isEmpty();
  }

  @Test
  void rank_that_waits_for_another_ends_by_its_time_limit() {
    Task alone = job(new Work.JavaCall("barrier", List.of()), 50);

    TaskOutcome outcome = new RankSlots(runs, alone, 2).start(0, "").join();

    assertThat(outcome.status()).isEqualTo(TaskStatus.TIMED_OUT);
    assertThat(outcome.stuck()).isFalse();
  }

  @Test
  void rank_deaf_to_its_kill_is_reported_stuck() throws Exception {
    Path release = temp.resolve("release");
    Task deaf = java("many", "deaf", release.toString());
    CompletableFuture<TaskOutcome> outcome = new RankSlots(runs, deaf, 2).start(1, "");
    await().until(() -> Files.exists(temp.resolve("release1")));

    runs.interruption.kill("lease lost");

    assertThat(Runs.failure(outcome)).isInstanceOf(TaskInterruptedException.class);
    assertThat(runs.stuck).containsExactly(deaf);
    TestJars.write(release, "");
  }

  @Test
  void answer_is_cut_as_a_tasks_is() {
    List<TaskOutcome> outcomes = new RankSlots(runs, java("many", "long"), 2).run();

    assertThat(outcomes.get(1).output()).hasSize(1500);
    assertThat(outcomes.get(1).outputBytes()).isEqualTo(2000);
  }

  @Test
  void noop_and_sleep_run_as_they_do_for_tasks() {
    assertThat(new RankSlots(runs, job(Work.Noop.INSTANCE, 0), 2).run())
        .allSatisfy(o -> assertThat(o.status()).isEqualTo(TaskStatus.SUCCEEDED));
    assertThat(new RankSlots(runs, job(new Work.Sleep(100_000), 20), 2).run())
        .allSatisfy(o -> assertThat(o.status()).isEqualTo(TaskStatus.TIMED_OUT));
  }

  @Test
  void kinds_that_the_worker_refuses_are_refused_for_ranks_too() throws Exception {
    RunnerConfig careful =
        new RunnerConfig(Set.of(AllowedWork.JAVA), 10, null, Duration.ofSeconds(1));
    Task mpi = new Task(0, "a", new Work.Hpc(2, true, Work.Exec.shell("true")), 0);
    try (Runs java = new Runs(careful)) {
      assertThat(new RankSlots(java, mpi, 1).start(0, "line").join().error())
          .isEqualTo("this worker does not run exec tasks (--allow java)");
      MpiJob job = new MpiJob(2, "127.0.0.1");
      assertThat(java.runner.mpiexec(TaskEnvironment.bare("r", 9), mpi, java.interruption, job))
          .satisfies(o -> assertThat(o.status()).isEqualTo(TaskStatus.FAILED));
      assertThatThrownBy(job::lines).hasMessageContaining("--allow java");
    }
  }

  /** It knows the file's name, and may do as it likes. */
  @ParameterizedTest
  @ValueSource(strings = {"", "mkdir -p \"$CLOUDKON_MPI_EXIT/full\"; "})
  void rank_of_mpi_whose_program_removes_the_file_of_its_exit_code_has_none(String instead)
      throws Exception {
    String line = proxy("rm -f \"$CLOUDKON_MPI_EXIT\"; " + instead + "exit 3");

    TaskOutcome outcome = new RankSlots(runs, MPI, 2).start(0, line).join();

    assertThat(outcome.status()).isEqualTo(TaskStatus.CANCELLED);
    assertThat(outcome.error()).isEqualTo("it was ended before its MPI program ended");
    assertThat(outcome.exitCode()).isEqualTo(3);
  }

  @Test
  void rank_of_mpi_without_that_file_is_killed_all_the_same() throws Exception {
    Path removed = temp.resolve("removed");
    String line = proxy("rm -f \"$CLOUDKON_MPI_EXIT\"; touch " + removed + "; exec sleep 60");
    CompletableFuture<TaskOutcome> outcome = new RankSlots(runs, MPI, 2).start(0, line);
    await().until(() -> Files.exists(removed));

    runs.interruption.kill("lease lost");

    assertThat(Runs.failure(outcome))
        .isInstanceOf(TaskInterruptedException.class)
        .hasMessage("lease lost");
  }

  /** The line of a launcher that does this. */
  private String proxy(String script) throws IOException {
    Path proxy = temp.resolve("proxy");
    Files.writeString(proxy, "#!/bin/sh\n" + script + "\n");
    assertThat(proxy.toFile().setExecutable(true)).isTrue();
    return proxy + " --proxy-id 0";
  }

  @Test
  void place_that_is_not_in_the_job_is_refused() {
    assertThatThrownBy(() -> new RankSlots(runs, java("ring"), 2).start(2, ""))
        .isInstanceOf(RuntimeException.class);
  }

  private static Task java(String handler, String... args) {
    return job(new Work.JavaCall(handler, List.of(args)), 0);
  }

  private static Task job(Work each, long timeoutMillis) {
    return new Task(6, "seven", new Work.Hpc(2, false, each), timeoutMillis);
  }
}
