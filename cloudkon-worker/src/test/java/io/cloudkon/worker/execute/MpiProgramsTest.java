package io.cloudkon.worker.execute;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real MPI programs under MPICH's mpiexec, all ranks on one runner. */
class MpiProgramsTest {
  private static final String PROGRAM =
      """
      #include <mpi.h>
      #include <signal.h>
      #include <stdio.h>
      #include <stdlib.h>
      #include <string.h>
      #include <unistd.h>
      int main(int argc, char **argv) {
        const char *what = argc > 1 ? argv[1] : "sum";
        int late = argc > 2 && !strcmp(argv[2], "late") && strcmp(getenv("CLOUDKON_RANK"), "1") == 0;
        if (late) { return 4; }
        MPI_Init(&argc, &argv);
        int rank, size, sum;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        printf("rank %d of %d: %d\\n", rank, size, sum);
        fflush(stdout);
        FILE *pids = fopen(getenv("PIDS"), "a");
        fprintf(pids, "%d\\n", getpid());
        fclose(pids);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 1) {
          if (!strcmp(what, "segv")) { raise(SIGSEGV); }
          if (!strcmp(what, "kill")) { raise(SIGKILL); }
          if (!strcmp(what, "abort")) { MPI_Abort(MPI_COMM_WORLD, 7); }
          if (!strcmp(what, "exit")) { _exit(5); }
          if (!strcmp(what, "hang")) { for (;;) { pause(); } }
        }
        if (!strcmp(what, "env")) {
          char place[1000];
          printf("%s %s/%s %s\\n", getenv("MINE"), getenv("CLOUDKON_RANK"),
                 getenv("CLOUDKON_SIZE"), getcwd(place, sizeof place) ? "" : "lost");
          FILE *note = fopen("note", "w");
          fprintf(note, "%d", rank);
          fclose(note);
        }
        if (!strcmp(what, "args")) {
          printf("%d arguments, the last: %s\\n", argc - 1, argv[argc - 1]);
        }
        if (!strcmp(what, "stdin")) {
          char in[100];
          size_t n = fread(in, 1, sizeof in, stdin);
          printf("rank %d read %d\\n", rank, (int) n);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Finalize();
        return !strcmp(what, "three") ? 3 : 0;
      }
      """;

  @TempDir static Path shared;
  private static Path program;

  @TempDir Path temp;
  private Runs runs;

  @BeforeAll
  static void compile() throws Exception {
    assumeTrue(
        exitCode("mpicc", "-v") == 0, "not tried: there is no mpicc on the PATH; install mpich");
    assumeTrue(
        exitCode("sh", "-c", "mpiexec.hydra --version | grep -q 'HYDRA build'") == 0,
        "not tried: there is no MPICH mpiexec.hydra on the PATH; install mpich");
    Path source = Files.writeString(shared.resolve("program.c"), PROGRAM);
    program = shared.resolve("program");
    assertThat(exitCode("mpicc", "-o", program.toString(), source.toString())).isZero();
  }

  @BeforeEach
  void open() {
    runs = new Runs(Runs.CONFIG);
  }

  @AfterEach
  void close() throws IOException {
    runs.close();
    assertThat(Processes.pids(temp.resolve("pids"))).noneMatch(Processes::runs);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 6})
  void program_prints_through_mpiexec_and_all_ranks_succeed(int size) {
    Ended ended = run(size, 0, "sum");

    assertThat(ended.job().status()).isEqualTo(TaskStatus.SUCCEEDED);
    assertThat(ended.job().exitCode()).isZero();
    int sum = size * (size - 1) / 2;
    assertThat(Runs.text(ended.job().stdout()).lines())
        .hasSize(size)
        .contains("rank 0 of %d: %d".formatted(size, sum));
    assertThat(ended.ranks())
        .hasSize(size)
        .allSatisfy(rank -> assertThat(rank.status()).isEqualTo(TaskStatus.SUCCEEDED));
  }

  @Test
  void ranks_have_environment_and_directories_of_their_own() throws Exception {
    Path place = Files.createDirectory(temp.resolve("a place"));
    try (Runs local = new Runs(Runs.config(Limits.CAPTURE_BYTES, place))) {
      Ended ended = run(local, 2, 0, "env");

      assertThat(Runs.text(ended.job().stdout()).lines())
          .contains("it is 'mine' $x 0/2 ", "it is 'mine' $x 1/2 ");
      assertThat(place.resolve("note")).exists();
    }
  }

  @Test
  void arguments_that_mpiexec_would_take_for_its_own_are_the_programs() {
    Ended ended = run(2, 0, "args", ":", "-n", "1", "hostname", "", "it's");

    assertThat(ended.job().error()).isEmpty();
    assertThat(Runs.text(ended.job().stdout()).lines())
        .filteredOn(line -> line.contains("arguments"))
        .hasSize(2)
        .containsOnly("7 arguments, the last: it's");
  }

  @Test
  void program_has_more_arguments_than_mpiexec_can_take() {
    String[] many = new String[3_000];
    Arrays.fill(many, "more");
    many[0] = "args";

    assertThat(Runs.text(run(2, 0, many).job().stdout()).lines())
        .contains("3000 arguments, the last: more");
  }

  @Test
  void rank_0_alone_reads_standard_input() {
    assertThat(Runs.text(run(3, 0, "stdin").job().stdout()).lines())
        .contains("rank 0 read 5", "rank 1 read 0", "rank 2 read 0");
  }

  @Test
  void exit_code_after_the_end_of_mpi_is_the_jobs_and_each_ranks() {
    Ended ended = run(2, 0, "three");

    assertThat(ended.job().status()).isEqualTo(TaskStatus.FAILED);
    assertThat(ended.job().exitCode()).isEqualTo(3);
    assertThat(ended.ranks()).allSatisfy(rank -> assertThat(rank.exitCode()).isEqualTo(3));
  }

  @Test
  void rank_that_a_signal_kills_ends_the_whole_job_and_is_named() {
    Ended segv = run(3, 0, "segv");
    assertThat(segv.job().status()).isEqualTo(TaskStatus.FAILED);
    assertThat(segv.job().error()).contains("a rank died: Segmentation fault (signal 11)");
    assertThat(segv.ranks().get(1).exitCode()).isEqualTo(139);
    assertThat(segv.ranks().get(1).status()).isEqualTo(TaskStatus.FAILED);
    assertThat(segv.ranks()).noneMatch(rank -> rank.status() == TaskStatus.SUCCEEDED);

    Ended kill = run(3, 0, "kill");
    assertThat(kill.job().error()).contains("Killed (signal 9)");
    assertThat(kill.ranks().get(1).error()).isEqualTo("exit code 137 (signal 9)");
  }

  @Test
  void abort_ends_the_whole_job_with_its_code() {
    Ended ended = run(3, 0, "abort");

    assertThat(ended.job().status()).isEqualTo(TaskStatus.FAILED);
    assertThat(ended.job().exitCode()).isEqualTo(7);
  }

  @Test
  void rank_that_leaves_without_a_word_ends_the_whole_job() {
    Ended ended = run(3, 0, "exit");

    assertThat(ended.job().status()).isEqualTo(TaskStatus.FAILED);
    assertThat(ended.ranks().get(1).exitCode()).isEqualTo(5);
    assertThat(ended.ranks()).hasSize(3);
  }

  @Test
  void rank_that_never_joins_ends_the_whole_job() {
    Ended ended = run(2, 0, "sum", "late");

    assertThat(ended.job().status()).isEqualTo(TaskStatus.FAILED);
    assertThat(ended.ranks().get(1).exitCode()).isEqualTo(4);
  }

  @Test
  void hung_rank_ends_with_the_jobs_time_limit() {
    Ended ended = run(2, 15_000, "hang");

    assertThat(ended.job().status()).isEqualTo(TaskStatus.TIMED_OUT);
    assertThat(Processes.pids(temp.resolve("pids"))).hasSize(2);
  }

  @Test
  void kill_leaves_no_rank_behind() throws Exception {
    MpiJob job = new MpiJob(3, "127.0.0.1");
    Task task = task(3, 0, "hang");
    CompletableFuture<TaskOutcome> mpiexec = mpiexec(runs, task, job);
    List<CompletableFuture<TaskOutcome>> ranks = new RankSlots(runs, task, 3).start(job.lines());
    Path pids = temp.resolve("pids");
    await().until(() -> Processes.pids(pids).size() == 3);

    runs.interruption.kill("lease lost");

    assertThat(Runs.failure(mpiexec)).isInstanceOf(TaskInterruptedException.class);
    for (CompletableFuture<TaskOutcome> rank : ranks) {
      assertThat(Runs.failure(rank)).isInstanceOf(TaskInterruptedException.class);
    }
    await().until(() -> Processes.pids(pids).stream().noneMatch(Processes::runs));
    assertThat(proxies()).isEmpty();
    assertThat(runs.stuck).isEmpty();
  }

  @Test
  void killed_proxy_takes_its_rank_with_it_and_fails() throws Exception {
    MpiJob job = new MpiJob(2, "127.0.0.1");
    Task task = task(2, 0, "hang");
    CompletableFuture<TaskOutcome> mpiexec = mpiexec(runs, task, job);
    List<CompletableFuture<TaskOutcome>> ranks = new RankSlots(runs, task, 2).start(job.lines());
    Path pids = temp.resolve("pids");
    await().until(() -> Processes.pids(pids).size() == 2);

    proxies().forEach(ProcessHandle::destroyForcibly);

    for (CompletableFuture<TaskOutcome> rank : ranks) {
      assertThat(rank.join().status()).isEqualTo(TaskStatus.CANCELLED);
      assertThat(rank.join().error()).contains("was ended before its MPI program ended");
    }
    job.rankEnded(1, ranks.get(1).join().exitCode());
    assertThat(mpiexec.join().status()).isEqualTo(TaskStatus.FAILED);
    await().until(() -> Processes.pids(pids).stream().noneMatch(Processes::runs));
  }

  private record Ended(TaskOutcome job, List<TaskOutcome> ranks) {}

  private Ended run(int size, long timeoutMillis, String... args) {
    return run(runs, size, timeoutMillis, args);
  }

  /** As a gang does it: ranks run until mpiexec has ended, and what is left is killed. */
  private Ended run(Runs on, int size, long timeoutMillis, String... args) {
    try {
      MpiJob job = new MpiJob(size, "127.0.0.1");
      Task task = task(size, timeoutMillis, args);
      CompletableFuture<TaskOutcome> mpiexec = mpiexec(on, task, job);
      List<CompletableFuture<TaskOutcome>> ranks = new RankSlots(on, task, size).start(job.lines());
      for (int i = 0; i < size; i++) {
        int rank = i;
        ranks.get(i).thenAccept(outcome -> job.rankEnded(rank, outcome.exitCode()));
      }
      TaskOutcome end = mpiexec.join();
      List<TaskOutcome> outcomes = ranks.stream().map(CompletableFuture::join).toList();
      await().until(() -> Processes.pids(temp.resolve("pids")).stream().noneMatch(Processes::runs));
      return new Ended(end, outcomes);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private CompletableFuture<TaskOutcome> mpiexec(Runs on, Task task, MpiJob job) {
    CompletableFuture<TaskOutcome> outcome = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            TaskEnvironment around = TaskEnvironment.bare("a-run", Limits.CAPTURE_BYTES);
            outcome.complete(on.runner.mpiexec(around, task, on.interruption, job));
          } catch (Throwable t) {
            outcome.completeExceptionally(t);
          }
        });
    return outcome;
  }

  private Task task(int size, long timeoutMillis, String... args) {
    List<String> argv = new ArrayList<>(List.of(program.toString()));
    argv.addAll(List.of(args));
    Map<String, String> environment =
        Map.of("PIDS", temp.resolve("pids").toString(), "MINE", "it is 'mine' $x");
    Work.Exec each = new Work.Exec(argv, null, environment, "input".getBytes(UTF_8));
    return new Task(6, "seven", new Work.Hpc(size, true, each), timeoutMillis);
  }

  private static List<ProcessHandle> proxies() {
    return ProcessHandle.current()
        .descendants()
        .filter(p -> p.info().command().orElse("").endsWith("hydra_pmi_proxy"))
        .toList();
  }

  private static int exitCode(String... argv) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(argv)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      return process.exitValue();
    } catch (IOException e) {
      return 127;
    }
  }
}
