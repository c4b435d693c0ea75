package io.cloudkon.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RankTicksTest {
  @TempDir private Path folder;
  private RankTicks ticks;

  @BeforeEach
  void setUp() {
    ticks = new RankTicks(folder);
  }

  /** Lines of job, process or attempt, rank and time. */
  private void write(String... lines) throws IOException {
    Files.write(folder.resolve("ticks.txt"), List.of(lines));
  }

  @Test
  void nothing_overlaps_where_nothing_ran() {
    assertThat(ticks.overlapsOfJobs()).isEmpty();
    assertThat(ticks.overlapsOfRanks()).isEmpty();
    assertThat(ticks.mostTries()).isZero();
  }

  @Test
  void attempts_of_commands_one_after_the_other_do_not_overlap() throws IOException {
    write(
        "1 90 0 10", "1 90 0 20", "1 91 1 11", "1 91 1 25", "1 92 0 26", "1 93 1 26", "2 94 0 20");

    assertThat(ticks.overlapsOfJobs()).isEmpty();
    assertThat(ticks.overlapsOfRanks()).isEmpty();
    assertThat(ticks.attempts()).isEqualTo(5);
    assertThat(ticks.mostTries()).isEqualTo(2);
  }

  @Test
  void attempt_of_commands_overlaps_by_another_rank_of_its_job() throws IOException {
    write(
        "1 90 0 10", "1 90 0 20", "1 91 1 11", "1 91 1 30", "1 92 0 25", "1 92 0 40", "1 93 1 35");

    assertThat(ticks.overlapsOfRanks()).isEmpty();
    assertThat(ticks.overlapsOfJobs()).hasSize(2).allMatch(found -> found.startsWith("job 1: "));
  }

  @Test
  void attempts_of_java_ranks_overlap_by_their_names() throws IOException {
    write("1 a-1 0 10", "1 a-1 0 30", "1 a-2 1 20", "1 a-2 1 40", "2 b-1 0 10", "2 b-2 0 11");

    assertThat(ticks.overlapsOfRanks()).isEmpty();
    assertThat(ticks.overlapsOfJobs()).hasSize(1).allMatch(found -> found.startsWith("job 1: "));
  }
}
