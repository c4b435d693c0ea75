package io.cloudkon.functional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.faults.ClientProcess;
import io.cloudkon.faults.Results;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Real MPI programs of four and six ranks, on three worker processes that all tests share. */
class MpiIT extends OnThreeWorkers {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private static MpiPrograms programs;

  @BeforeAll
  static void compile() throws Exception {
    assumeTrue(MpiPrograms.lacking().isEmpty(), MpiPrograms.lacking());
    programs = MpiPrograms.in(shared.resolve("programs"));
  }

  private List<JobLine> run(int exitCode, List<String> lines, String... options) throws Exception {
    try (ClientProcess client =
        ClientProcess.start(
            cluster, folder, Consistency.EXACTLY_ONCE, lines, Map.of(), workers.watched(options))) {
      assertThat(client.awaitExit(LIMIT)).as(client.said()).isEqualTo(exitCode);
      Results results = client.results();
      assertThat(results.byTask()).hasSize(lines.size());
      return IntStream.rangeClosed(1, lines.size())
          .mapToObj(line -> new JobLine(results.byTask().get(Integer.toString(line))))
          .toList();
    }
  }

  @Test
  void programs_of_four_and_six_ranks_give_their_output() throws Exception {
    List<JobLine> jobs =
        run(
            0,
            List.of(
                programs.line(4, "pi", 1_000_000),
                "sleep 50",
                programs.line(6, "pi", 1_000_000),
                programs.line(4, "ring", 3),
                programs.line(6, "ring", 3)));

    assertThat(jobs).extracting(JobLine::status).containsOnly("SUCCEEDED");
    assertThat(jobs.get(0).stdout()).isEqualTo("pi is 3.1415926536, by 4 ranks\n");
    assertThat(jobs.get(2).stdout()).isEqualTo("pi is 3.1415926536, by 6 ranks\n");
    assertThat(jobs.get(3).stdout().lines())
        .containsExactlyInAnyOrder(
            "rank 0 of 4 passed on 12",
            "rank 1 of 4 passed on 13",
            "rank 2 of 4 passed on 15",
            "rank 3 of 4 passed on 18");
    assertThat(jobs.get(4).stdout().lines()).hasSize(6);
    assertThat(Set.copyOf(jobs.get(0).workers())).hasSizeGreaterThan(1);
    assertThat(jobs.get(2).workers()).containsAll(workers.ids()).hasSize(6);
  }

  @Test
  void program_that_was_shipped_runs_on_every_worker() throws Exception {
    List<JobLine> jobs =
        run(0, List.of("mpi 6 ./mpi-pi 1000000"), "--ship", programs.file("pi").toString());

    assertThat(jobs.getFirst().stdout()).isEqualTo("pi is 3.1415926536, by 6 ranks\n");
  }

  @Test
  void rank_that_exits_or_dies_ends_its_job_and_no_other() throws Exception {
    List<JobLine> jobs =
        run(
            1,
            List.of(
                programs.line(4, "trouble", "exit", 2),
                programs.line(6, "trouble", "kill", 5),
                programs.line(4, "trouble", "segv", 0),
                programs.line(6, "trouble"),
                "noop"));

    assertThat(jobs)
        .extracting(JobLine::status)
        .containsExactly("FAILED", "FAILED", "FAILED", "SUCCEEDED", "SUCCEEDED");
    assertThat(jobs.get(0).exitCode()).isEqualTo(3);
    assertThat(jobs.get(0).error()).contains("3");
    assertThat(jobs.get(0).stdout().lines()).contains("rank 2 is here");
    assertThat(jobs.get(1).error()).containsAnyOf("137", "SIGKILL", "signal 9", "killed");
    assertThat(jobs.get(2).error()).containsAnyOf("139", "SIGSEGV", "signal 11");
    assertThat(jobs.get(3).stdout().lines()).hasSize(6);
  }

  @Test
  void rank_that_hangs_ends_its_job_when_its_time_is_over() throws Exception {
    List<JobLine> jobs =
        run(
            1,
            List.of(
                programs.line(4, "trouble", "hang", 1),
                programs.line(6, "trouble", "hang", 0),
                programs.line(6, "trouble"),
                "noop"),
            "--timeout",
            "20s");

    assertThat(jobs)
        .as("%s", jobs)
        .extracting(JobLine::status)
        .containsExactly("TIMED_OUT", "TIMED_OUT", "SUCCEEDED", "SUCCEEDED");
    assertThat(jobs.get(0).stdout().lines()).hasSize(4);
  }

  @Test
  void program_that_prints_much_is_not_cut_short() throws Exception {
    List<JobLine> jobs =
        run(
            0,
            List.of("mpi 4 /bin/sh -c \"seq 1 2000; echo err >&2\"", "mpi 6 /bin/cat /dev/null"));

    assertThat(jobs.get(0).stdout().lines()).hasSize(8000);
    assertThat(jobs.get(0).stderr().lines()).hasSize(4).containsOnly("err");
    assertThat(jobs.get(1).stdout()).isEmpty();
  }
}
