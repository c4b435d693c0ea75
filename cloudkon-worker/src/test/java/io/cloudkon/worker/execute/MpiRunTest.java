package io.cloudkon.worker.execute;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.health.Sickness;
import io.cloudkon.hpc.mpi.MpiPorts;
import io.cloudkon.worker.execute.guard.Guard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With scripts in the place of mpiexec, which print what it prints. */
class MpiRunTest {
  private static final String VERSION =
      "[ \"$1\" = --version ] && { echo 'HYDRA build details:'; exit 0; }\n";

  private static final String BLOCK =
      """
      echo 'HYDRA_LAUNCH: proxy --proxy-id 0 '
      echo 'HYDRA_LAUNCH: proxy --proxy-id 1 '
      echo HYDRA_LAUNCH_END
      """;

  @TempDir Path temp;
  private final Guard guard = new Guard(Runs.CONFIG.guardDeadline(), Runs.CONFIG.start());
  private ExecRun exec = exec(Runs.CONFIG);
  private final Map<String, String> own = new HashMap<>();
  private final Interruption interruption = new Interruption();

  @AfterEach
  void close() {
    guard.close();
    exec.close();
  }

  @Test
  void job_that_fails_after_its_time_limit_has_timed_out() {
    TaskOutcome late = TaskOutcome.plain(TaskStatus.FAILED, "a rank died", 0, 5_000_000);
    TaskOutcome early = TaskOutcome.plain(TaskStatus.FAILED, "a rank died", 0, 4_999_000);
    TimeLimit limit = TimeLimit.of(5_000, 0);
    assertThat(MpiRun.inTime(late, limit).status()).isEqualTo(TaskStatus.TIMED_OUT);
    assertThat(MpiRun.inTime(late, limit).error()).isEqualTo("exceeded its time limit of 5 s");
    assertThat(MpiRun.inTime(early, limit)).isSameAs(early);
    assertThat(MpiRun.inTime(late, TimeLimit.of(0, 0))).isSameAs(late);
  }

  @Test
  void lines_come_to_the_job_and_output_and_exit_code_are_the_programs() throws Exception {
    mpiexec("mpiexec.hydra", VERSION + BLOCK + "echo out; " + "echo err >&2; cat; exit 3");
    MpiJob job = new MpiJob(2, "127.0.0.1");

    TaskOutcome outcome = start(job, Map.of()).join();

    assertThat(job.lines()).containsExactly("proxy --proxy-id 0", "proxy --proxy-id 1");
    assertThat(outcome.status()).isEqualTo(TaskStatus.FAILED);
    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(outcome.error()).isEqualTo("exit code 3");
    assertThat(Runs.text(outcome.stdout())).isEqualTo("out\ninput");
    assertThat(Runs.text(outcome.stderr())).isEqualTo("err\n");
  }

  @Test
  void death_of_a_rank_is_the_error() throws Exception {
    mpiexec(
        "mpiexec",
        VERSION
            + BLOCK
            + "echo 'YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Killed (signal 9)'; exit 9");

    assertThat(start(new MpiJob(2, "h"), Map.of()).join().error())
        .isEqualTo("a rank died: Killed (signal 9); mpiexec: exit code 9");
  }

  @Test
  void worker_without_mpiexec_says_so_and_what_to_do() {
    MpiJob job = new MpiJob(2, "h");

    TaskOutcome outcome = start(job, Map.of()).join();

    assertThat(outcome.status()).isEqualTo(TaskStatus.FAILED);
    assertThat(outcome.exitCode()).isEqualTo(127);
    assertThat(outcome.error())
        .isEqualTo(
            "this worker has no MPICH mpiexec on its PATH %s; install mpich or set".formatted(temp)
                + " CLOUDKON_MPIEXEC to its mpiexec.hydra");
    assertThatThrownBy(job::lines)
        .isInstanceOf(CloudKonException.class)
        .hasMessage(outcome.error());
  }

  @Test
  void mpiexec_of_another_mpi_is_refused_by_name() throws Exception {
    mpiexec("mpiexec", "echo 'mpiexec (OpenRTE) 4.1.4'");
    assertThat(start(new MpiJob(2, "h"), Map.of()).join().error())
        .contains(temp + "/mpiexec is Open MPI's", "install mpich");
    mpiexec("other", "echo who knows");
    assertThat(start(new MpiJob(2, "h"), Map.of("CLOUDKON_MPIEXEC", "other")).join().error())
        .contains(
            "CLOUDKON_MPIEXEC of this worker is not an MPICH mpiexec: 'other'", "not MPICH's");
  }

  @Test
  void named_mpiexec_is_used_before_others() throws Exception {
    mpiexec("mpiexec", "exit 1");
    Path mine = mpiexec("mine", VERSION + BLOCK + "echo mine");
    Map<String, String> named = Map.of("CLOUDKON_MPIEXEC", mine.toString());

    assertThat(Runs.text(start(new MpiJob(2, "h"), named).join().stdout())).isEqualTo("mine\n");
  }

  @Test
  void program_that_does_not_exist_starts_nothing() throws Exception {
    mpiexec("mpiexec", VERSION + BLOCK);
    MpiJob job = new MpiJob(2, "h");

    TaskOutcome outcome = start(job, Map.of(), "./nowhere").join();

    assertThat(outcome.exitCode()).isEqualTo(127);
    String told = "command not found: ./nowhere; if it is a file of yours, send it with --ship";
    assertThat(outcome.error()).isEqualTo(told);
    assertThatThrownBy(job::lines).hasMessage(told);
  }

  @Test
  void mpiexec_that_its_worker_cannot_start_is_not_judged_here() throws Exception {
    mpiexec("mpiexec", VERSION + BLOCK);
    MpiJob job = new MpiJob(2, "h");
    guard.close();

    assertThatThrownBy(start(job, Map.of())::join)
        .cause()
        .isInstanceOfSatisfying(
            NotStartedException.class,
            e -> {
              assertThat(e.suspicion()).isInstanceOf(Sickness.Processes.class);
              assertThat(e.outcome().exitCode()).isEqualTo(126);
              assertThatThrownBy(job::lines).hasMessage(e.outcome().error());
            });
  }

  @Test
  void mpiexec_that_prints_no_lines_in_time_is_ended() throws Exception {
    mpiexec("mpiexec", VERSION + "echo $$ > " + temp + "/pid; exec sleep 1000");
    MpiJob job = new MpiJob(2, "h", Duration.ofMillis(300), Duration.ofSeconds(5));

    TaskOutcome outcome = start(job, Map.of()).join();

    assertThat(outcome.status()).isEqualTo(TaskStatus.FAILED);
    assertThat(outcome.error()).isEqualTo("mpiexec printed no launch lines within 300 ms");
    assertThatThrownBy(job::lines).hasMessage(outcome.error());
    await().until(() -> Processes.pids(temp.resolve("pid")).stream().noneMatch(Processes::runs));
  }

  @Test
  void mpiexec_whose_lines_are_not_as_they_should_be_is_ended() throws Exception {
    mpiexec("mpiexec", VERSION + BLOCK + "exec sleep 1000");

    assertThat(start(new MpiJob(3, "h"), Map.of()).join().error())
        .contains("proxies [0, 1], where 0 to 2 are needed");
  }

  @Test
  void mpiexec_that_ends_without_lines_leaves_nobody_waiting() throws Exception {
    mpiexec("mpiexec", VERSION + "exit 0");
    MpiJob job = new MpiJob(2, "h");

    start(job, Map.of()).join();

    assertThatThrownBy(job::lines).hasMessage("mpiexec ended without launch lines");
  }

  @Test
  void failed_rank_that_the_others_outlive_ends_the_job() throws Exception {
    mpiexec("mpiexec", VERSION + BLOCK + "echo kept; exec sleep 1000");
    MpiJob job = new MpiJob(2, "h", Duration.ofSeconds(20), Duration.ofMillis(100));
    CompletableFuture<TaskOutcome> outcome = start(job, Map.of());
    List<String> unused = job.lines();
    job.rankEnded(0, 0);

    job.rankEnded(1, 5);

    assertThat(outcome.join().status()).isEqualTo(TaskStatus.FAILED);
    assertThat(outcome.join().error())
        .isEqualTo("MPI rank 1 ended with exit code 5, and the others did not end within 100 ms");
    assertThat(unused).hasSize(2);
  }

  @Test
  void kill_ends_mpiexec_without_an_outcome() throws Exception {
    mpiexec("mpiexec", VERSION + "echo $$ > " + temp + "/pid\n" + BLOCK + "exec sleep 1000");
    MpiJob job = new MpiJob(2, "h");
    CompletableFuture<TaskOutcome> outcome = start(job, Map.of());
    assertThat(job.lines()).hasSize(2);

    interruption.kill("lease lost");

    assertThat(Runs.failure(outcome))
        .isInstanceOfSatisfying(
            TaskInterruptedException.class,
            e -> {
              assertThat(e).hasMessage("lease lost");
              assertThat(e.unfinished()).as("for its receiver, who frees its outputs").isNotNull();
            });
    await().until(() -> Processes.pids(temp.resolve("pid")).stream().noneMatch(Processes::runs));
  }

  @Test
  void time_limit_ends_mpiexec() throws Exception {
    mpiexec("mpiexec", VERSION + BLOCK + "exec sleep 1000");

    TaskOutcome outcome = start(new MpiJob(2, "h"), Map.of(), 100, "true").join();

    assertThat(outcome.status()).isEqualTo(TaskStatus.TIMED_OUT);
    assertThat(outcome.error()).isEqualTo("exceeded its time limit of 100 ms");
  }

  @Test
  void job_that_is_ended_after_its_time_has_timed_out() {
    TaskOutcome ended =
        TaskOutcome.plain(TaskStatus.CANCELLED, "it was ended", 1_000_000, 1_100_000);
    TaskInterruptedException end = interruption.exception(ended);

    assertThat(MpiRun.outOfTime(end, TimeLimit.of(100, 0)))
        .hasValueSatisfying(outcome -> {
          assertThat(outcome.status()).isEqualTo(TaskStatus.TIMED_OUT);
          assertThat(outcome.error()).isEqualTo("exceeded its time limit of 100 ms");
        });
    assertThat(MpiRun.outOfTime(end, TimeLimit.of(101, 0))).isEmpty();
    assertThat(MpiRun.outOfTime(end, TimeLimit.of(0, 0))).isEmpty();
    assertThat(MpiRun.outOfTime(interruption.exception(), TimeLimit.of(1, 0))).isEmpty();
  }

  @Test
  void mpiexec_is_told_the_ports_but_for_what_the_task_sets() throws Exception {
    mpiexec(
        "mpiexec",
        VERSION + BLOCK + "echo $MPIEXEC_PORT_RANGE $UCX_TCP_PORT_RANGE $FI_TCP_PORT_LOW_RANGE");
    assertThat(Runs.text(start(new MpiJob(2, "h"), Map.of()).join().stdout())).isBlank();

    exec.close();
    exec = exec(Runs.CONFIG.with(new MpiPorts(7100, 7199)));

    assertThat(Runs.text(start(new MpiJob(2, "h"), Map.of()).join().stdout()))
        .isEqualTo("7100:7199 7100-7199 7100\n");
    own.put("UCX_TCP_PORT_RANGE", "7300-7305");
    assertThat(Runs.text(start(new MpiJob(2, "h"), Map.of()).join().stdout()))
        .isEqualTo("7100:7199 7300-7305 7100\n");
  }

  private ExecRun exec(RunnerConfig config) {
    return new ExecRun(config, guard, new Stamps(Clock.systemUTC()), task -> {});
  }

  private CompletableFuture<TaskOutcome> start(MpiJob job, Map<String, String> environment) {
    return start(job, environment, "true");
  }

  private CompletableFuture<TaskOutcome> start(
      MpiJob job, Map<String, String> environment, String program) {
    return start(job, environment, 0, program);
  }

  private CompletableFuture<TaskOutcome> start(
      MpiJob job, Map<String, String> environment, long timeoutMillis, String program) {
    Work.Exec work = new Work.Exec(List.of(program), null, own, "input".getBytes(UTF_8));
    Task task = new Task(6, "seven", new Work.Hpc(2, true, work), timeoutMillis);
    Map<String, String> all = new HashMap<>(environment);
    all.put("PATH", temp.toString());
    MpiRun run = new MpiRun(exec, all);
    CompletableFuture<TaskOutcome> outcome = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            TaskEnvironment around = TaskEnvironment.bare("a-run", Limits.CAPTURE_BYTES);
            outcome.complete(run.run(around, task, work, job, interruption));
          } catch (Throwable t) {
            outcome.completeExceptionally(t);
          }
        });
    return outcome;
  }

  private Path mpiexec(String name, String script) throws IOException {
    Path file = Files.writeString(temp.resolve(name), "#!/bin/sh\n" + script + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }
}
