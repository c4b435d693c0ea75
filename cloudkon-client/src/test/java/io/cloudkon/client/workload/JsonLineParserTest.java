package io.cloudkon.client.workload;

import static io.cloudkon.client.workload.MemorySource.jsonl;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonLineParserTest {
  private static final String ONE_KIND =
      "; expected exactly one of exec, shell, sleep, noop, java and mpi";

  private static void assertRefused(String line, String message) {
    assertThatThrownBy(() -> jsonl("{\"noop\": true}\n\n" + line + "\n").open())
        .isInstanceOf(UsageException.class)
        .hasMessage("w.jsonl:3: " + message);
  }

  @Test
  void every_kind_is_read() {
    List<Task> tasks =
        jsonl(
                """
                {"id": "a", "noop": true}

                {"sleep": 16}
                  {"id": 7, "java": "echo", "args": ["x y", ""]}\s
                {"args": ["1"], "java": "pi", "timeout": "30s", "retries": 0}
                {"sleep": 1.5e3, "timeout": 250}
                """)
            .tasks();
    assertThat(tasks)
        .containsExactly(
            MemorySource.silent(0, "a", Work.Noop.INSTANCE, 0),
            MemorySource.silent(1, "3", new Work.Sleep(16), 0),
            MemorySource.silent(2, "7", new Work.JavaCall("echo", List.of("x y", "")), 0),
            new Task(3, "5", new Work.JavaCall("pi", List.of("1")), 30_000, 0),
            MemorySource.silent(4, "6", new Work.Sleep(1500), 250));
  }

  @Test
  void exec_takes_environment_directory_and_input() {
    String line =
        """
        {"exec": ["cat", "-"], "env": {"A": "1", "B": ""}, "dir": "/d", "stdin": "h\\u00e9\\u0000\\n"}
        """;
    Work.Exec exec = (Work.Exec) jsonl(line).task().work();
    assertThat(exec.argv()).containsExactly("cat", "-");
    assertThat(exec.environment()).isEqualTo(Map.of("A", "1", "B", ""));
    assertThat(exec.directory()).isEqualTo("/d");
    assertThat(new String(exec.stdin(), UTF_8)).isEqualTo("hé\0\n");
  }

  @Test
  void fields_do_not_leak_into_the_next_line() {
    List<Task> tasks =
        jsonl(
                """
                {"id":"x","exec":["a"],"env":{"A":"1"},"dir":"d","stdin":"s","timeout":5}
                {"shell":"b"}
                """)
            .tasks();
    Work.Exec second = (Work.Exec) tasks.get(1).work();
    assertThat(second.argv()).containsExactly("/bin/sh", "-c", "b");
    assertThat(second.environment()).isEmpty();
    assertThat(second.directory()).isNull();
    assertThat(second.stdin()).isEmpty();
    assertThat(tasks.get(1).id()).isEqualTo("2");
    assertThat(tasks.get(1).timeoutMillis()).isZero();
  }

  @Test
  void unknown_field_is_refused_with_the_nearest() {
    String names =
        "expected one of id, exec, shell, sleep, noop, java, args, env, dir, stdin, timeout,"
            + " retries, ranks, mpi, files, collect, values";
    assertRefused(
        "{\"sleep\": 1, \"timout\": 5}",
        "unknown field \"timout\"; did you mean \"timeout\"? " + names);
    assertRefused("{\"priority\": {\"a\": [1]}}", "unknown field \"priority\"; " + names);
    assertRefused("{\"Noop\": true}", "unknown field \"Noop\"; did you mean \"noop\"? " + names);
  }

  @Test
  void field_given_twice_is_refused() {
    assertRefused(
        "{\"sleep\": 1, \"sleep\": 1}",
        "the field \"sleep\" is given twice; expected each field once");
    assertRefused(
        "{\"exec\": [\"a\"], \"env\": {\"A\": \"1\", \"A\": \"1\"}}",
        "\"env\" gives the variable \"A\" twice; expected each variable once");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"noop\": true, \"sleep\": 1}",
        "{\"exec\": [\"a\"], \"shell\": \"b\"}",
        "{\"java\": \"a\", \"exec\": [\"b\"]}"
      })
  void two_kinds_are_refused(String line) {
    assertRefused(line, "the task has more than one kind of work" + ONE_KIND);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"id\": \"a\"}", "{\"args\": [\"a\"]}", "{\"timeout\": 5}"})
  void no_kind_is_refused(String line) {
    assertRefused(line, "the task has no work" + ONE_KIND);
  }

  @Test
  void ranks_beside_a_kind_make_a_job_of_it() {
    List<Task> tasks =
        jsonl(
                """
                {"noop": true, "ranks": 4}
                {"ranks": 2, "id": "j", "sleep": 16, "timeout": "30s", "retries": 1}
                {"java": "pi", "args": ["1"], "ranks": 4096}
                {"shell": "hostname", "ranks": 1}
                {"noop": true}
                """)
            .tasks();
    assertThat(tasks)
        .startsWith(
            MemorySource.silent(0, "1", new Work.Hpc(4, false, Work.Noop.INSTANCE), 0),
            new Task(1, "j", new Work.Hpc(2, false, new Work.Sleep(16)), 30_000, 1),
            MemorySource.silent(
                2, "3", new Work.Hpc(4096, false, new Work.JavaCall("pi", List.of("1"))), 0))
        .endsWith(MemorySource.silent(4, "5", Work.Noop.INSTANCE, 0));
    Work.Hpc shell = (Work.Hpc) tasks.get(3).work();
    assertThat(((Work.Exec) shell.each()).argv()).containsExactly("/bin/sh", "-c", "hostname");
  }

  @Test
  void mpi_takes_ranks_environment_directory_and_input() {
    String line =
        """
        {"env": {"A": "1"}, "mpi": ["./solve", "", "a b"], "dir": "/d", "stdin": "x", "ranks": 6}
        """;
    Work.Hpc job = (Work.Hpc) jsonl(line).task().work();
    assertThat(job.ranks()).isEqualTo(6);
    assertThat(job.mpi()).isTrue();
    Work.Exec each = (Work.Exec) job.each();
    assertThat(each.argv()).containsExactly("./solve", "", "a b");
    assertThat(each.environment()).isEqualTo(Map.of("A", "1"));
    assertThat(each.directory()).isEqualTo("/d");
    assertThat(each.stdin()).isEqualTo("x".getBytes(UTF_8));
  }

  @ParameterizedTest
  @CsvSource({"0", "-1", "1.5", "4097", "1e1"})
  void number_of_ranks_out_of_bounds_is_refused(String ranks) {
    assertRefused(
        "{\"noop\": true, \"ranks\": " + ranks + "}",
        "\"ranks\" is \"" + ranks + "\"; expected a whole number from 1 to 4096");
  }

  @Test
  void ranks_that_are_no_number_are_refused() {
    assertRefused(
        "{\"noop\": true, \"ranks\": \"4\"}",
        "\"ranks\" holds a string; expected a whole number from 1 to 4096");
    assertRefused("{\"ranks\": 4}", "the task has no work" + ONE_KIND);
  }

  @Test
  void mpi_without_ranks_or_program_is_refused() {
    assertRefused(
        "{\"mpi\": [\"./solve\"]}",
        "\"mpi\" does not say how many ranks its program has;"
            + " expected \"ranks\" beside it, such as {\"mpi\": [\"./solver\"], \"ranks\": 4}");
    assertRefused(
        "{\"mpi\": [], \"ranks\": 4}",
        "\"mpi\" has no program; expected an array such as [\"./solver\", \"input.dat\"]");
    assertRefused(
        "{\"mpi\": [\"a\"], \"exec\": [\"b\"], \"ranks\": 4}",
        "the task has more than one kind of work" + ONE_KIND);
    assertRefused(
        "{\"mpi\": [\"a\"], \"args\": [\"b\"], \"ranks\": 4}",
        "\"args\" does not belong to this kind of work; expected it with java only");
  }

  @Test
  void retries_are_read_where_given_and_the_runs_elsewhere() {
    String lines =
        """
        {"noop": true, "retries": 2}
        {"noop": true}
        {"retries": 0, "noop": true}
        {"noop": true, "retries": 1000}
        """;
    assertThat(jsonl(lines).tasks())
        .extracting(Task::retries)
        .containsExactly(2, Task.RUNS_RETRIES, 0, 1000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1001", "-1", "1.0", "1e1", "-0", "12345678901234567890"})
  void retries_beyond_the_limits_are_refused(String retries) {
    assertRefused(
        "{\"noop\": true, \"retries\": " + retries + "}",
        "\"retries\" is \"" + retries + "\"; expected a whole number from 0 to 1000");
  }

  @Test
  void retries_are_refused_where_tasks_may_start_at_most_once() {
    MemorySource none = jsonl("{\"noop\": true, \"retries\": 0}\n{\"noop\": true}\n");
    Workload.open(none, WorkloadFormat.AUTO, WorkloadLimits.of(Consistency.AT_MOST_ONCE)).close();
    MemorySource some = jsonl("{\"noop\": true}\n{\"noop\": true, \"retries\": 1}\n");
    Workload.open(some, WorkloadFormat.AUTO, WorkloadLimits.of(Consistency.AT_LEAST_ONCE)).close();
    assertThatThrownBy(() ->
            Workload.open(some, WorkloadFormat.AUTO, WorkloadLimits.of(Consistency.AT_MOST_ONCE)))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "w.jsonl:2: \"retries\" is \"1\"; expected 0: a run with at-most-once consistency"
                + " tries each task once");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"id\": null, \"noop\": true} | \"id\" holds null; expected a string or a whole number",
        "{\"id\": 1.5} | \"id\" holds a number with a fraction; expected a string or a whole"
            + " number",
        "{\"exec\": \"ls\"} | \"exec\" holds a string; expected an array of strings",
        "{\"exec\": [1]} | \"exec\" holds a whole number; expected an array of strings",
        "{\"shell\": [\"a\"]} | \"shell\" holds an array; expected a string",
        "{\"sleep\": \"5s\"} | \"sleep\" holds a string; expected a number of milliseconds, 0 or"
            + " more",
        "{\"sleep\": true} | \"sleep\" holds true; expected a number of milliseconds, 0 or more",
        "{\"noop\": false} | \"noop\" holds false; expected true",
        "{\"java\": {}} | \"java\" holds an object; expected a string",
        "{\"args\": \"a\"} | \"args\" holds a string; expected an array of strings",
        "{\"env\": []} | \"env\" holds an array; expected an object whose values are strings",
        "{\"env\": {\"A\": 1}} | \"env\" holds a whole number; expected an object whose values are"
            + " strings",
        "{\"dir\": 1} | \"dir\" holds a whole number; expected a string",
        "{\"stdin\": null} | \"stdin\" holds null; expected a string",
        "{\"timeout\": []} | \"timeout\" holds an array; expected a number of milliseconds or a"
            + " string such as \"30s\"",
        "{\"retries\": \"0\"} | \"retries\" holds a string; expected a whole number from 0 to"
            + " 1000"
      })
  void value_of_the_wrong_type_is_refused(String line, String message) {
    assertRefused(line, message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"id\": \"\"} | the id is empty; expected 1 to 256 bytes, or no id: the line number is"
            + " then the id",
        "{\"exec\": []} | \"exec\" has no program; expected an array such as [\"echo\", \"hello\"]",
        "{\"exec\": [\"\"]} | \"exec\" has no program; expected an array such as [\"echo\","
            + " \"hello\"]",
        "{\"shell\": \" \"} | \"shell\" is blank; expected a command line for /bin/sh -c",
        "{\"java\": \"\"} | \"java\" is blank; expected the name of a handler",
        "{\"dir\": \"\"} | \"dir\" is blank; expected a directory",
        "{\"timeout\": 0} | the timeout is 0; expected more than 0; leave the timeout out for no"
            + " limit",
        "{\"timeout\": \"9999h\"} | timeout \"9999h\" is longer than 365 days; expected at most 365"
            + " days",
        "{\"sleep\": 1e99} | sleep \"1e99\" is longer than 365 days; expected at most 365 days",
        "{\"noop\": true, \"args\": []} | \"args\" does not belong to this kind of work; expected"
            + " it with java only",
        "{\"shell\": \"a\", \"args\": []} | \"args\" does not belong to this kind of work; expected"
            + " it with java only",
        "{\"sleep\": 1, \"env\": {}} | \"env\" does not belong to this kind of work; expected it"
            + " with exec, shell and mpi only",
        "{\"java\": \"a\", \"stdin\": \"\"} | \"stdin\" does not belong to this kind of work;"
            + " expected it with exec, shell and mpi only",
        "{\"env\": {\"A=B\": \"\"}} | \"env\" has a variable named \"A=B\"; expected a name that is"
            + " not empty and has no = and no NUL character",
        "{\"exec\": [\"a\\u0000b\"]} | \"exec\" holds a NUL character: \"a\\u0000b\"; expected text"
            + " that can be given to a process",
        "{\"id\": \"\\ud800\"} | \"id\" holds half of a surrogate pair: \"\\ud800\"; expected both"
            + " halves, \\ud83d\\ude00, or the character itself"
      })
  void value_out_of_bounds_is_refused(String line, String message) {
    assertRefused(line, message);
  }

  @Test
  void sleep_negative_is_refused() {
    assertThatThrownBy(() -> jsonl("{\"sleep\": -5}").open())
        .hasMessageStartingWith("w.jsonl:1: sleep \"-5\" is negative; expected a number of mil");
  }

  @Test
  void id_is_bounded_in_bytes() {
    String most = "é".repeat(128);
    assertThat(jsonl("{\"noop\": true, \"id\": \"" + most + "\"}").task().id()).isEqualTo(most);
    assertThatThrownBy(() -> jsonl("{\"noop\": true, \"id\": \"" + most + "x\"}").open())
        .hasMessage(
            "w.jsonl:1: the id \""
                + "é".repeat(60)
                + "…\" is too long; expected 1 to 256 bytes, or no id: the line number is then"
                + " the id");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "5", "# comment", "noop", "\"a\""})
  void line_that_is_no_object_is_refused(String line) {
    assertRefused(
        line,
        Excerpt.quote(line)
            + " is not a JSON object;"
            + " expected one object per line, such as {\"id\": \"a\", \"sleep\": 100}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "{\"noop\"",
        "{\"noop\":",
        "{\"noop\": true",
        "{\"noop\": true,",
        "{\"sleep\": 1",
        "{\"id\": \"a",
        "{\"exec\": [\"a\"",
        "{\"env\": {\"A\": \"1\"}"
      })
  void object_that_does_not_end_is_refused(String line) {
    assertRefused(
        line, "the JSON object does not end on its line; expected one whole object per line");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"noop\": true}", "x", "5", ",", "]", "}", "\"", "# comment"})
  void anything_behind_the_object_is_refused(String rest) {
    assertRefused(
        "{\"noop\": true} " + rest,
        Excerpt.quote(rest)
            + " follows the JSON object; expected one object per line and nothing else");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{noop: true}",
        "{\"noop\": True}",
        "{\"noop\": true,}",
        "{'noop': true}",
        "{\"id\": 01}",
        "{\"sleep\": NaN}",
        "{\"id\": \"\\x\"}",
        "{\"id\": \"a\tb\"}",
        "{\"exec\": [\"a\",]}",
        "{\"id\" 1}",
        "{\"sleep\": +1}",
        "{\"sleep\": .5}",
        "{]"
      })
  void malformed_json_is_refused_with_its_place(String line) {
    assertThatThrownBy(() -> jsonl("{\"noop\": true}\n" + line + "\n").open())
        .isInstanceOf(UsageException.class)
        .hasMessageMatching(
            "w\\.jsonl:2: not valid JSON near byte \\d+ of the object: \\P{Cntrl}+;"
                + " expected one object per line, such as .*");
  }
}
