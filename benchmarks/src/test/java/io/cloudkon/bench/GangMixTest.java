package io.cloudkon.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GangMixTest {
  private static final String JOB =
      "{\"task\":\"2\",\"ranks\":[{\"rank\":0}],"
          + "\"stamps\":{\"submitted\":1500000,\"finished\":5000000}}";

  @TempDir Path folder;

  private static String task(long submitted, long finished) {
    return "{\"task\":\"1\",\"stamps\":{\"submitted\":%d,\"finished\":%d}}"
        .formatted(submitted, finished);
  }

  private GangMix.Spans spans(List<String> lines) throws IOException {
    return GangMix.Spans.read(Files.write(folder.resolve("results.jsonl"), lines));
  }

  @Test
  void jobs_count_for_the_time_of_all_and_not_for_the_rate_of_small_tasks() throws IOException {
    GangMix.Spans mixed =
        spans(List.of(task(1_000_000, 1_200_000), JOB, task(1_100_000, 2_000_000)));
    assertThat(mixed.tasksPerSecond()).isCloseTo(2, within(1e-9));
    assertThat(mixed.seconds()).isCloseTo(4, within(1e-9));
  }

  @Test
  void jobs_alone_have_a_time_only() throws IOException {
    GangMix.Spans jobs = spans(List.of(JOB));
    assertThat(jobs.tasksPerSecond()).isZero();
    assertThat(jobs.seconds()).isCloseTo(3.5, within(1e-9));
  }
}
