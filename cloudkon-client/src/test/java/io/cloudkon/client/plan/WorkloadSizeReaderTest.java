package io.cloudkon.client.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadFormat;
import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.durations.LearnedDurations;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WorkloadSizeReaderTest {
  private static WorkloadSize read(String text, int most, String... given) {
    TaskDurations times = new TaskDurations(Stream.of(given).map(GivenTime::parse).toList(), null);
    var stdin = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    try (Workload workload = Workload.open("-", stdin, WorkloadFormat.AUTO)) {
      return new WorkloadSizeReader("-", times, 1, most).read(workload);
    }
  }

  @Test
  void load_sums_up_what_tasks_take() {
    WorkloadSize load =
        read("sleep 100\nnoop\nexec ./words a\njava sha256 x\n", 10, "exec=3s", "2ms");

    assertThat(load.tasks()).isEqualTo(4);
    assertThat(load.workSeconds()).isEqualTo(3.102);
    assertThat(load.longestSeconds()).isEqualTo(3);
    assertThat(load.sample().size()).isEqualTo(4);
    assertThat(load.sample().micros(2)).isEqualTo(3_000_000);
  }

  @Test
  void simulated_task_is_of_the_same_sort_and_about_as_large() {
    String large = "x".repeat(5_000);
    WorkloadSize load =
        read("exec ./words %s\njava sha256 y\nsleep 5\n".formatted(large), 10, "1s");

    Task exec = load.sample().task(0);
    assertThat(LearnedDurations.key(exec.work())).isEqualTo("exec ./words");
    assertThat(BundleCodec.sizeOf(exec)).isBetween(4_980, 5_080);
    assertThat(LearnedDurations.key(load.sample().task(1).work())).isEqualTo("sha256");
    assertThat(load.sample().task(2).work()).isEqualTo(new Work.Sleep(5));
  }

  @Test
  void large_task_stands_for_one_that_lies_in_the_blob_store() {
    WorkloadSize load = read("exec ./words %s\n".formatted("x".repeat(2_000_000)), 10, "1s");

    assertThat(load.largeTasks()).isEqualTo(1);
    assertThat(load.sample().task(0).work()).isInstanceOf(Work.Stored.class);
  }

  @Test
  void sample_is_as_large_as_asked_and_in_order() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 1000; i++) {
      text.append("sleep ").append(i).append('\n');
    }
    WorkloadSize load = read(text.toString(), 100);

    assertThat(load.tasks()).isEqualTo(1000);
    assertThat(load.workSeconds()).isEqualTo(499.5);
    assertThat(load.sample().size()).isEqualTo(100);
    assertThat(load.sample().took()).isSorted();
    SampledTasks fewer = load.sample().some(10, new SplittableRandom(1));
    assertThat(fewer.took()).hasSize(10).isSorted();
    assertThat(fewer.shrunk(0.5).micros(9)).isEqualTo(fewer.micros(9) / 2);
  }

  @Test
  void unknown_duration_names_the_first_line_the_number_and_the_options() {
    assertThatThrownBy(() -> read("sleep 1\n# words\nexec ./words a\njava echo\n", 10))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "<stdin>:3: the duration of exec ./words is not known, nor is that of 1 more task; give"
                + " it with --duration 50ms (or exec=50ms, or 10ms..2s), or with --like FOLDER of"
                + " an earlier run with such tasks");
    assertThatThrownBy(() -> read("java echo\n", 10, "exec=1s"))
        .hasMessageStartingWith("<stdin>:1: the duration of java echo is not known; give");
  }

  @Test
  void same_seed_draws_the_same_times() {
    List<WorkloadSize> loads =
        List.of(
            read("java echo\njava echo\n", 10, "1ms..1s"),
            read("java echo\njava echo\n", 10, "1ms..1s"));

    assertThat(loads.getFirst().sample().took()).isEqualTo(loads.getLast().sample().took());
  }

  @Test
  void jobs_are_counted_and_left_out() {
    WorkloadSize load = read("hpc 4 sleep 900\nsleep 100\nmpi 2 ./solve\nnoop\n", 10);

    assertThat(load.tasks()).isEqualTo(2);
    assertThat(load.jobs()).isEqualTo(2);
    assertThat(load.workSeconds()).isEqualTo(0.1);
    assertThat(load.sample().took()).containsExactly(100_000, 0);
  }

  @Test
  void workload_of_jobs_alone_is_refused() {
    assertThatThrownBy(() -> read("hpc 4 noop\n", 10))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "<stdin> contains only HPC jobs, but plan simulates only tasks;"
                + " expected a task as well");
  }
}
