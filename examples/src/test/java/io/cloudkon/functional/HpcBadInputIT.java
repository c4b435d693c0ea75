package io.cloudkon.functional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.faults.ClientProcess;
import io.cloudkon.faults.Results;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * HPC jobs that cannot be: each fails with the reason, and the rest of its workload goes on. Three
 * worker processes, which all tests share.
 */
class HpcBadInputIT extends OnThreeWorkers {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private Results run(List<String> lines, String... options) throws Exception {
    return workers.explainFailure(() -> {
      try (ClientProcess client =
          ClientProcess.start(
              cluster,
              folder,
              Consistency.EXACTLY_ONCE,
              lines,
              Map.of(),
              workers.watched(options))) {
        assertThat(client.awaitExit(LIMIT)).as(client.said()).isEqualTo(1);
        assertThat(client.results().byTask()).hasSize(lines.size());
        return client.results();
      }
    });
  }

  /** There is no such file. */
  private Path nowhere() {
    return folder.resolve("nowhere");
  }

  private static JobLine job(Results results, int line) {
    return new JobLine(results.byTask().get(Integer.toString(line)));
  }

  @Test
  void program_or_handler_that_is_not_there_fails_its_job() throws Exception {
    Results results =
        run(
            List.of(
                "hpc 4 exec %s".formatted(nowhere()),
                "hpc 4 java nosuch",
                "hpc 6 java ring",
                "noop"));

    assertThat(results.counts()).isEqualTo(Map.of("FAILED", 2L, "SUCCEEDED", 2L));
    JobLine program = job(results, 1);
    assertThat(program.exitCode()).isEqualTo(127);
    assertThat(program.stderr()).contains(nowhere().toString());
    assertThat(program.error()).startsWith("rank ").contains("127");
    assertThat(job(results, 2).error()).contains("'nosuch'", "barrier", "ring");
  }

  @Test
  void rank_that_throws_fails_its_job_with_what_it_said() throws Exception {
    Results results = run(List.of("hpc 4 java tricks throw 2", "hpc 6 java ring", "noop"));

    assertThat(results.tasks("FAILED")).containsExactly("1");
    assertThat(job(results, 1).error()).startsWith("rank 2: ").contains("on purpose by rank 2");
    assertThat(job(results, 2).output()).isEqualTo("15");
  }

  @Test
  void rank_that_never_reaches_the_barrier_ends_its_job_when_its_time_is_over() throws Exception {
    Results results =
        run(
            List.of("hpc 4 java tricks absent 1", "hpc 6 exec sleep 60", "hpc 6 java ring", "noop"),
            "--timeout",
            "20s");

    assertThat(results.counts()).isEqualTo(Map.of("TIMED_OUT", 2L, "SUCCEEDED", 2L));
    assertThat(job(results, 1).error()).matches("rank \\d: exceeded its time limit of 20 s");
  }

  @Test
  void more_ranks_than_live_workers_have_slots_fail_after_a_while() throws Exception {
    Results results = run(List.of("hpc 7 noop", "noop", "hpc 6 java ring", "sleep 10"));

    assertThat(results.tasks("FAILED")).containsExactly("1");
    assertThat(job(results, 1).error()).contains("7 ranks", "6 slots", "start more workers");
    assertThat(job(results, 3).output()).isEqualTo("15");
  }

  @Test
  void mpi_of_a_program_that_is_not_there_fails_and_names_it() throws Exception {
    assumeTrue(MpiPrograms.lacking().isEmpty(), MpiPrograms.lacking());
    Results results = run(List.of("mpi 4 %s x".formatted(nowhere()), "hpc 4 java ring", "noop"));

    assertThat(results.tasks("FAILED")).containsExactly("1");
    assertThat(job(results, 1).error()).contains(nowhere().toString());
  }
}
