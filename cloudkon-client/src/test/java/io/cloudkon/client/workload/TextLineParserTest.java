package io.cloudkon.client.workload;

import static io.cloudkon.client.workload.MemorySource.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextLineParserTest {
  private static final String DURATION =
      "; expected a number of milliseconds, or one with ms, s, m or h: 200ms, 1.5s, 2m, 1h";

  private static void assertRefused(String line, String message) {
    assertThatThrownBy(() -> text("# first\nnoop\n" + line + "\nnoop\n").open())
        .isInstanceOf(UsageException.class)
        .hasMessage("w.txt:3: " + message);
  }

  @Test
  void tasks_carry_ordinal_and_line_number() {
    List<Task> tasks = text("# first\n\n noop \n\t # second\nsleep 5s").tasks();
    assertThat(tasks)
        .containsExactly(
            MemorySource.silent(0, "3", Work.Noop.INSTANCE, 0),
            MemorySource.silent(1, "5", new Work.Sleep(5000), 0));
  }

  @Test
  void exec_is_the_rest_of_the_line_for_the_shell() {
    Work work = text("  exec \t echo \"a  b\" 'c' # d > e ; é\\  ").task().work();
    Work.Exec exec = (Work.Exec) work;
    assertThat(exec.argv()).containsExactly("/bin/sh", "-c", "echo \"a  b\" 'c' # d > e ; é\\  ");
    assertThat(exec.directory()).isNull();
    assertThat(exec.environment()).isEmpty();
    assertThat(exec.stdin()).isEmpty();
  }

  @Test
  void java_has_a_name_and_split_arguments() {
    assertThat(text("java pi 1 'a b' \"\" c\\ d").task().work())
        .isEqualTo(new Work.JavaCall("pi", List.of("1", "a b", "", "c d")));
    assertThat(text("java\techo").task().work()).isEqualTo(new Work.JavaCall("echo", List.of()));
  }

  @Test
  void line_ends_and_byte_order_mark_of_windows_are_accepted() {
    List<Task> tasks = text("\ufeffsleep 1\r\n\r\nexec echo a\r\nnoop").tasks();
    assertThat(tasks).extracting(Task::id).containsExactly("1", "3", "4");
    assertThat(((Work.Exec) tasks.get(1).work()).argv()).endsWith("echo a");
  }

  @ParameterizedTest
  @CsvSource({
    "sleep -5, -5, is negative",
    "sleep abc, abc, is not a duration",
    "sleep 5 6, 5 6, is not a duration",
    "sleep 1 # nap, 1 # nap, is not a duration"
  })
  void sleep_with_a_bad_duration_is_refused(String line, String quoted, String problem) {
    assertRefused(line, "sleep \"" + quoted + "\" " + problem + DURATION);
  }

  @Test
  void sleep_above_a_year_is_refused() {
    assertRefused(
        "sleep 8761h", "sleep \"8761h\" is longer than 365 days; expected at most 365 days");
  }

  @Test
  void kinds_without_what_they_need_are_refused() {
    assertRefused(
        "sleep  ",
        "sleep without a duration; expected one, such as sleep 16 (milliseconds) or sleep 5s");
    assertRefused(
        "exec\t", "exec without a command; expected one for /bin/sh -c, such as exec echo hello");
    String nameless = "java without the name of a handler; expected one, such as java sha256 hello";
    assertRefused("java", nameless);
    assertRefused("java '' x", nameless);
  }

  @Test
  void noop_with_arguments_is_refused() {
    assertRefused(
        "noop 5", "noop takes no arguments, but \"5\" follows; expected nothing after noop");
  }

  @Test
  void java_with_an_open_quote_is_refused() {
    assertRefused(
        "java echo 'a b",
        "the quote is never closed: \"'a b\"; expected a closing ', or \\' for the character");
  }

  @Test
  void unknown_kind_is_refused_with_the_nearest() {
    assertRefused(
        "slep 5",
        "unknown kind of task \"slep\"; did you mean \"sleep\"?"
            + " expected noop, sleep, exec, java, hpc or mpi");
    assertRefused(
        "python3 fit.py 1",
        "unknown kind of task \"python3\"; did you mean \"exec python3 fit.py 1\"?"
            + " expected noop, sleep, exec, java, hpc or mpi");
    assertRefused(
        "\u001b[2J" + "x".repeat(100),
        "unknown kind of task \"\\u001b[2J"
            + "x".repeat(56)
            + "…\"; did you mean \"exec \\u001b[2J"
            + "x".repeat(51)
            + "…\"? expected noop, sleep, exec, java, hpc or mpi");
  }

  @Test
  void hpc_is_a_number_of_ranks_before_a_task() {
    assertThat(text("hpc 4 noop").task().work())
        .isEqualTo(new Work.Hpc(4, false, Work.Noop.INSTANCE));
    assertThat(text(" hpc\t4096  sleep 5s ").task().work())
        .isEqualTo(new Work.Hpc(4096, false, new Work.Sleep(5000)));
    assertThat(text("hpc 01 java pi 1 'a b'").task().work())
        .isEqualTo(new Work.Hpc(1, false, new Work.JavaCall("pi", List.of("1", "a b"))));
    Work.Hpc job = (Work.Hpc) text("hpc 2 exec ./solve \"a  b\" # x").task().work();
    assertThat(job.mpi()).isFalse();
    assertThat(((Work.Exec) job.each()).argv())
        .containsExactly("/bin/sh", "-c", "./solve \"a  b\" # x");
  }

  @Test
  void mpi_is_a_number_of_ranks_before_a_program_and_its_split_arguments() {
    Work.Hpc job = (Work.Hpc) text("mpi 6 ./solve 'a b' \"\" c\\ d").task().work();
    assertThat(job.ranks()).isEqualTo(6);
    assertThat(job.mpi()).isTrue();
    assertThat(((Work.Exec) job.each()).argv()).containsExactly("./solve", "a b", "", "c d");
  }

  @Test
  void task_behind_a_job_is_no_job() {
    assertThat(text("mpi 6 ./solve\nnoop").tasks())
        .extracting(Task::work)
        .endsWith(Work.Noop.INSTANCE);
  }

  @ParameterizedTest
  @CsvSource({"0", "-1", "x", "4x", "1.5", "4097", "99999999999999999999", "+4", "'\"4\"'"})
  void number_of_ranks_out_of_bounds_is_refused(String ranks) {
    String quoted = "\"" + ranks + "\" is not a number of ranks; ";
    String expected = "expected a whole number from 1 to 4096, such as ";
    assertRefused("hpc " + ranks + " noop", "hpc " + quoted + expected + "hpc 4 java echo hello");
    assertRefused(
        "mpi " + ranks + " ./solve", "mpi " + quoted + expected + "mpi 4 ./solver input.dat");
  }

  @Test
  void jobs_without_what_they_need_are_refused() {
    assertRefused(
        "hpc ", "hpc without a number of ranks; expected one, such as hpc 4 java echo hello");
    assertRefused(
        "mpi", "mpi without a number of ranks; expected one, such as mpi 4 ./solver input.dat");
    assertRefused("hpc 4 ", "hpc 4 without a task; expected noop, sleep, exec or java");
    String programless = "mpi 4 without a program; expected one, such as mpi 4 ./solver input.dat";
    assertRefused("mpi 4", programless);
    assertRefused("mpi 4 '' x", programless);
  }

  @Test
  void job_of_jobs_is_refused() {
    String expected = "; expected noop, sleep, exec or java after the number of ranks";
    assertRefused("hpc 2 hpc 2 noop", "hpc 2 of an HPC job: \"hpc 2 noop\"" + expected);
    assertRefused("hpc 2 mpi 4 ./x", "hpc 2 of an HPC job: \"mpi 4 ./x\"" + expected);
  }

  @Test
  void task_of_a_job_is_checked_like_any_other() {
    assertRefused(
        "hpc 2 noop 5", "noop takes no arguments, but \"5\" follows; expected nothing after noop");
    assertRefused("hpc 2 sleep x", "sleep \"x\" is not a duration" + DURATION);
    assertRefused(
        "hpc 2 slep 5",
        "unknown kind of task \"slep\"; did you mean \"sleep\"?"
            + " expected noop, sleep, exec or java");
    assertRefused(
        "hpc 4 echo hi",
        "unknown kind of task \"echo\"; did you mean \"hpc 4 exec echo hi\"?"
            + " expected noop, sleep, exec or java");
  }

  @Test
  void json_in_a_text_workload_is_refused_with_the_way_out() {
    assertRefused(
        "{\"noop\": true}",
        "a JSON object in a text workload; expected noop, sleep, exec, java, hpc or mpi;"
            + " a file of JSON objects must be named *.jsonl");
  }
}
