package io.cloudkon.functional;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.faults.ClientProcess;
import io.cloudkon.faults.Results;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** HPC jobs of four and six ranks, and tasks, on three worker processes that all tests share. */
class HpcIT extends OnThreeWorkers {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private static final List<String> JOBS =
      List.of(
          "hpc 4 java ring 20",
          "hpc 6 java barrier 50",
          "hpc 4 exec echo \"$CLOUDKON_RANK of $CLOUDKON_SIZE in $CLOUDKON_JOB\"",
          "hpc 6 java tricks sum",
          "hpc 6 sleep 100",
          "hpc 1 exec echo alone");

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void jobs_and_tasks_of_one_file_have_one_result_each(Consistency mode) throws Exception {
    List<String> lines = new ArrayList<>(JOBS);
    lines.addAll(Collections.nCopies(40, "sleep 20"));
    lines.addAll(JOBS);
    lines.addAll(Collections.nCopies(10, "exec echo task"));

    Results results = run("one", mode, lines);

    assertThat(results.counts()).isEqualTo(Map.of("SUCCEEDED", (long) lines.size()));
    assertJobs(results, 1);
    assertJobs(results, JOBS.size() + 41);
  }

  private Results run(String name, Consistency mode, List<String> lines) throws Exception {
    try (ClientProcess client = client(name, mode, lines)) {
      assertThat(client.awaitExit(LIMIT)).as(client.said()).isZero();
      return client.results();
    }
  }

  private ClientProcess client(String name, Consistency mode, List<String> lines) throws Exception {
    Path place = Files.createDirectory(folder.resolve(name));
    return ClientProcess.start(cluster, place, mode, lines, Map.of(), workers.watched());
  }

  /** The jobs whose first is in this line. */
  private void assertJobs(Results results, int first) {
    JobLine ring = job(results, first);
    assertThat(ring.output()).as("the sum of 0 to 3, 20 times").isEqualTo("120");
    assertRanks(ring, 4, 2);

    JobLine barrier = job(results, first + 1);
    assertThat(barrier.rankStdouts()).containsOnly("6 ranks").hasSize(6);
    assertRanks(barrier, 6, 3);

    JobLine command = job(results, first + 2);
    Set<String> jobs = new TreeSet<>();
    for (int rank = 0; rank < 4; rank++) {
      String[] said = command.rankStdouts().get(rank).strip().split(" in ");
      assertThat(said[0]).isEqualTo(rank + " of 4");
      jobs.add(said[1]);
    }
    assertThat(jobs).hasSize(1);
    assertThat(command.stdout()).isEqualTo(command.rankStdouts().getFirst());
    assertRanks(command, 4, 2);

    JobLine sum = job(results, first + 3);
    assertThat(sum.rankStdouts()).containsOnly("21").hasSize(6);
    assertRanks(sum, 6, 3);

    assertRanks(job(results, first + 4), 6, 3);

    JobLine alone = job(results, first + 5);
    assertThat(alone.rankStdouts()).containsExactly("alone\n");
    assertRanks(alone, 1, 1);
  }

  private static JobLine job(Results results, int line) {
    return new JobLine(results.byTask().get(Integer.toString(line)));
  }

  private void assertRanks(JobLine job, int ranks, int fewestWorkers) {
    assertThat(job.ranks()).containsExactlyElementsOf(IntStream.range(0, ranks).boxed().toList());
    assertThat(job.rankExitCodes()).containsOnly(0);
    assertThat(workers.ids()).containsAll(job.workers());
    assertThat(Set.copyOf(job.workers())).hasSizeGreaterThanOrEqualTo(fewestWorkers);
    for (String worker : workers.ids()) {
      assertThat(Collections.frequency(job.workers(), worker)).isLessThanOrEqualTo(2);
    }
  }

  @Test
  void jobs_of_two_clients_at_once_all_end() throws Exception {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      lines.addAll(JOBS);
      lines.addAll(Collections.nCopies(10, "sleep 20"));
    }
    try (ClientProcess one = client("one", Consistency.EXACTLY_ONCE, lines);
        ClientProcess two = client("two", Consistency.AT_LEAST_ONCE, lines)) {
      assertThat(one.awaitExit(LIMIT)).as(one.stderr()).isZero();
      assertThat(two.awaitExit(LIMIT)).as(two.stderr()).isZero();
      for (ClientProcess client : List.of(one, two)) {
        Results results = client.results();
        assertThat(results.counts()).isEqualTo(Map.of("SUCCEEDED", (long) lines.size()));
        for (int i = 0; i < 4; i++) {
          assertJobs(results, 1 + i * (JOBS.size() + 10));
        }
      }
    }
  }
}
