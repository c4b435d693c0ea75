package io.cloudkon.client.workload;

import static io.cloudkon.client.workload.MemorySource.jsonl;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TaskLineTest {
  private static final byte[] NOTHING = {};

  private static Task task(Work work) {
    return new Task(0, "a", work, 0, Task.RUNS_RETRIES);
  }

  /** A record holds an array: it is compared apart. */
  private static void assertComesBack(Task task) throws Exception {
    Task back = jsonl(TaskLine.of(task) + "\n").task();
    assertThat(back.with(withInputOf(task.work(), back.work()))).isEqualTo(task);
  }

  private static Work withInputOf(Work work, Work read) {
    if (work instanceof Work.Hpc a && read instanceof Work.Hpc b) {
      return new Work.Hpc(b.ranks(), b.mpi(), withInputOf(a.each(), b.each()));
    }
    if (work instanceof Work.Exec a && read instanceof Work.Exec b) {
      assertThat(b.stdin()).isEqualTo(a.stdin());
      return new Work.Exec(b.argv(), b.directory(), b.environment(), a.stdin());
    }
    return read;
  }

  @Test
  void every_kind_comes_back_as_it_was() throws Exception {
    assertComesBack(task(Work.Noop.INSTANCE));
    assertComesBack(task(new Work.Sleep(0)));
    assertComesBack(task(new Work.Sleep(86_400_000)));
    assertComesBack(task(new Work.JavaCall("echo", List.of())));
    assertComesBack(task(new Work.JavaCall("echo", List.of("", "a \"b\" \\", "ü\u2028\0\u009b"))));
    assertComesBack(task(Work.Exec.shell("echo 'x' | wc\n")));
    assertComesBack(task(new Work.Exec(List.of("/bin/sh", "-c", " "), null, Map.of(), NOTHING)));
    assertComesBack(
        task(
            new Work.Exec(
                List.of("prog", "", "\t"),
                "/some where",
                Map.of("A", "1", "B", ""),
                "line\nü\0\u007f".getBytes(UTF_8))));
  }

  @Test
  void values_stand_in_the_line() throws Exception {
    assertThat(TaskLine.of(task(Work.Noop.INSTANCE), List.of("1", "a \"b\"")))
        .endsWith(",\"noop\":true,\"values\":[\"1\",\"a \\\"b\\\"\"]}");
  }

  @Test
  void every_kind_of_job_comes_back_as_it_was() throws Exception {
    Work.Exec whole =
        new Work.Exec(List.of("prog", ""), "/d", Map.of("A", "1"), "in\n".getBytes(UTF_8));
    assertComesBack(task(new Work.Hpc(1, false, Work.Noop.INSTANCE)));
    assertComesBack(task(new Work.Hpc(4096, false, new Work.Sleep(5))));
    assertComesBack(task(new Work.Hpc(2, false, new Work.JavaCall("pi", List.of("1", "")))));
    assertComesBack(task(new Work.Hpc(2, false, Work.Exec.shell("a | b"))));
    assertComesBack(task(new Work.Hpc(2, false, whole)));
    assertComesBack(task(new Work.Hpc(2, true, whole)));
    assertComesBack(task(new Work.Hpc(2, true, Work.Exec.shell("a | b"))));
  }

  @Test
  void jobs_are_written_as_people_write_them() throws Exception {
    Work each = new Work.Exec(List.of("./solve", "5"), null, Map.of(), NOTHING);
    assertThat(TaskLine.of(task(new Work.Hpc(6, true, each))))
        .isEqualTo("{\"id\":\"a\",\"ranks\":6,\"mpi\":[\"./solve\",\"5\"]}");
    assertThat(TaskLine.of(task(new Work.Hpc(4, false, Work.Noop.INSTANCE))))
        .isEqualTo("{\"id\":\"a\",\"ranks\":4,\"noop\":true}");
  }

  @Test
  void timeout_and_retries_come_back_as_they_were() throws Exception {
    assertComesBack(new Task(0, "x/7", Work.Noop.INSTANCE, 30_000, 0));
    assertComesBack(new Task(0, "x/7", Work.Noop.INSTANCE, 1, 1000));
  }

  @Test
  void shell_lines_are_written_as_people_write_them() throws Exception {
    assertThat(TaskLine.of(task(Work.Exec.shell("make -j"))))
        .isEqualTo("{\"id\":\"a\",\"shell\":\"make -j\"}");
  }

  @Test
  void controls_that_would_steer_a_terminal_are_escaped() throws Exception {
    assertThat(TaskLine.of(task(new Work.JavaCall("echo", List.of("\033[2J\u009b\u007f")))))
        .contains("\\u001B[2J\\u009b\\u007f");
  }

  @Test
  void input_that_is_no_text_is_refused_with_its_size() {
    Work.Exec binary =
        new Work.Exec(List.of("cat"), null, Map.of(), new byte[] {(byte) 0xff, (byte) 0xfe});

    assertThatThrownBy(() -> TaskLine.of(task(binary)))
        .isInstanceOf(UnwritableTaskException.class)
        .hasMessageContaining("task \"a\"")
        .hasMessageContaining("2 bytes, is not UTF-8 text");
  }

  @Test
  void stored_work_is_refused_with_its_size() {
    Work stored = new Work.Stored(Work.Kind.EXEC, new Content("0".repeat(64), 5_000_000, ""));

    assertThatThrownBy(() -> TaskLine.of(task(new Work.Hpc(2, true, stored))))
        .isInstanceOf(UnwritableTaskException.class);
    assertThatThrownBy(() -> TaskLine.of(task(stored)))
        .isInstanceOf(UnwritableTaskException.class)
        .hasMessageContaining("blob store, 5,000,000 bytes");
  }

  @ParameterizedTest
  @ValueSource(longs = {366L * 24 * 3600 * 1000, Long.MAX_VALUE})
  void what_no_workload_may_hold_is_refused(long millis) {
    assertThatThrownBy(() -> TaskLine.of(task(new Work.Sleep(millis))))
        .isInstanceOf(UnwritableTaskException.class)
        .hasMessageContaining("longer than 365 days");
  }

  @Test
  void id_that_is_too_long_is_refused() {
    assertThatThrownBy(() -> TaskLine.of(new Task(0, "ü".repeat(129), Work.Noop.INSTANCE, 0)))
        .isInstanceOf(UnwritableTaskException.class)
        .hasMessageContaining("256 bytes");
  }
}
