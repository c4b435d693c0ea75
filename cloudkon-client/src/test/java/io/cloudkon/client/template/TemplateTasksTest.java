package io.cloudkon.client.template;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.UsageException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TemplateTasksTest {
  private static final TemplateTasks.Settings PLAIN =
      new TemplateTasks.Settings(Optional.empty(), false, false);
  private static final TemplateTasks.Settings NUL =
      new TemplateTasks.Settings(Optional.empty(), false, true);

  @TempDir private Path folder;

  /** The lines without what the tasks' values are. */
  private static String lines(TemplateTasks.Settings settings, String stdin, String... words)
      throws IOException {
    return whole(settings, stdin, words).replaceAll(",\"values\":\\[.*\\]\\}\n", "}\n");
  }

  private static String whole(TemplateTasks.Settings settings, String stdin, String... words)
      throws IOException {
    ByteArrayInputStream in = new ByteArrayInputStream(stdin.getBytes(UTF_8));
    TemplateTasks tasks = TemplateTasks.of(List.of(words), settings, in, () -> false);
    try (InputStream lines = tasks.lines(note -> {})) {
      return new String(lines.readAllBytes(), UTF_8);
    }
  }

  private static String lines(String... words) throws IOException {
    return lines(PLAIN, "", words);
  }

  private static AbstractThrowableAssert<?, ?> refused(String... words) {
    return assertThatThrownBy(() -> lines(words)).isInstanceOf(UsageException.class);
  }

  private String file(String name, byte[] content) throws IOException {
    return Files.write(folder.resolve(name), content).toString();
  }

  private static String exec(String... words) {
    return "{\"exec\":[\"" + String.join("\",\"", words) + "\"]}\n";
  }

  @Test
  void sources_are_combined_each_with_each_the_last_one_fastest() throws IOException {
    assertThat(lines("p", "{1}", "{2}", ":::", "a", "b", ":::", "1", "2"))
        .isEqualTo(
            exec("p", "a", "1") + exec("p", "a", "2") + exec("p", "b", "1") + exec("p", "b", "2"));
  }

  /** run --print shows the lines on a terminal, which obeyed such values. */
  @Test
  void what_could_drive_a_terminal_is_escaped() throws IOException {
    String value = "a\u007f\u009b2J\u202eb\u2066\u200e\u2028é漢";

    assertThat(lines("p", "{}", ":::", value))
        .isEqualTo(exec("p", "a\\u007F\\u009B2J\\u202Eb\\u2066\\u200E\\u2028é漢"));
  }

  @Test
  void line_says_which_values_its_task_has() throws IOException {
    assertThat(whole(PLAIN, "", "p", "{2}", ":::", "a", "b", ":::", "1]}"))
        .isEqualTo(
            """
            {"exec":["p","1]}"],"values":["a","1]}"]}
            {"exec":["p","1]}"],"values":["b","1]}"]}
            """);
  }

  @Test
  void each_task_gets_its_own_files() throws IOException {
    TemplateTasks.Settings settings =
        new TemplateTasks.Settings(
            Optional.empty(), false, false, List.of("{}", "{.}.cfg", "common"));

    assertThat(lines(settings, "", "p", ":::", "d/a.csv", "-n"))
        .isEqualTo(
            """
            {"exec":["p","d/a.csv"],"files":["d/a.csv","d/a.cfg","common"]}
            {"exec":["p","-n"],"files":["-n","-n.cfg","common"]}
            """);
    assertThatThrownBy(() ->
            lines(
                new TemplateTasks.Settings(Optional.empty(), false, false, List.of("{2}")),
                "",
                "p",
                ":::",
                "a"))
        .isInstanceOf(UsageException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "/etc/hosts|'/etc/hosts' is absolute",
        "{}.csv|'a/../x.csv' leads out of the directory with '..'",
        "d/|'d/' names no file"
      })
  void file_outside_the_directory_is_refused_by_the_option_that_names_it(
      String template, String problem) {
    TemplateTasks.Settings settings =
        new TemplateTasks.Settings(Optional.empty(), false, false, List.of(template));
    assertThatThrownBy(() -> lines(settings, "", "p", ":::", "a/../x"))
        .isInstanceOf(UsageException.class)
        .hasMessage("--file: %s; expected a path of a file below the client's directory", problem);
  }

  @Test
  void file_that_a_task_gets_twice_is_refused() {
    TemplateTasks.Settings settings =
        new TemplateTasks.Settings(Optional.empty(), false, false, List.of("{1}", "./{2}"));
    assertThatThrownBy(() -> lines(settings, "", "p", ":::", "a", "b", ":::+", "c", "b"))
        .isInstanceOf(UsageException.class)
        .hasMessage("--file: task 2 gets './b' twice; expected each file once");
  }

  @Test
  void linked_sources_go_side_by_side() throws IOException {
    assertThat(lines("p", "{#}", "{}", ":::", "a", "b", ":::+", "1", "2", ":::", "x", "y"))
        .isEqualTo(
            exec("p", "1", "a", "1", "x")
                + exec("p", "2", "a", "1", "y")
                + exec("p", "3", "b", "2", "x")
                + exec("p", "4", "b", "2", "y"));
  }

  @Test
  void files_have_a_value_a_line_and_are_read_again() throws IOException {
    String file = file("list", "one\r\ntwo words\n\nlast".getBytes(UTF_8));
    assertThat(lines("p", ":::", "a", "b", "::::", file))
        .isEqualTo(
            exec("p", "a", "one")
                + exec("p", "a", "two words")
                + exec("p", "a", "")
                + exec("p", "a", "last")
                + exec("p", "b", "one")
                + exec("p", "b", "two words")
                + exec("p", "b", "")
                + exec("p", "b", "last"));
  }

  @Test
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void pipe_is_read_once_wherever_it_stands() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Thread writer =
        Thread.startVirtualThread(
            () -> assertThatNoException().isThrownBy(() -> Files.writeString(pipe, "x\ny\n")));

    assertThat(lines("p", ":::", "a", "b", "::::", pipe.toString()))
        .isEqualTo(lines("p", ":::", "a", "b", ":::", "x", "y"));
    writer.join();
  }

  @Test
  void values_end_at_nul_bytes_where_that_is_asked_for() throws IOException {
    assertThat(lines(NUL, "a\nb\0c\0", "p")).isEqualTo(exec("p", "a\\nb") + exec("p", "c"));
  }

  @Test
  void standard_input_serves_where_there_is_no_source() throws IOException {
    assertThat(lines(PLAIN, "x\ny\n", "p")).isEqualTo(exec("p", "x") + exec("p", "y"));
    assertThat(lines(PLAIN, "x\ny\n", "p", "::::", "-", ":::", "1"))
        .isEqualTo(exec("p", "x", "1") + exec("p", "y", "1"));
    assertThatThrownBy(
            () -> TemplateTasks.of(List.of("p"), PLAIN, InputStream.nullInputStream(), () -> true))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("no values; expected ::: VALUES");
    refused("p", ":::", "1", "::::", "-").hasMessageContaining("can be read only once");
  }

  @Test
  void array_counts() throws IOException {
    TemplateTasks.Settings array = new TemplateTasks.Settings(Optional.of("8-12:2"), false, false);
    assertThat(lines(array, "", "p")).isEqualTo(exec("p", "8") + exec("p", "10") + exec("p", "12"));
    for (String wrong : List.of("5", "5-1", "1-5:0", "a-b", "-1-5")) {
      assertThatThrownBy(() -> NumberedValues.of(wrong))
          .isInstanceOf(UsageException.class)
          .hasMessageStartingWith("--array " + wrong + ": expected");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "5, ; 5 alone is 5-5",
    "'1,3,5', '; numbers of a list come after the command, as ::: 1 3 5'",
    "'1-3,7', '; numbers of a list come after the command, as ::: VALUES'",
    "1-10%2, '; for 2 tasks at once, use -t 2 here, or worker -t N on a cluster'",
    "'1,3%2', '; numbers of a list come after the command, as ::: 1 3; for 2 tasks at once, use -t"
        + " 2 here, or worker -t N on a cluster'",
    "a-b, ''"
  })
  void array_as_in_slurm_leads_to_what_it_is_here(String array, String hint) {
    assertThatThrownBy(() -> NumberedValues.of(array))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "--array %s: expected FIRST-LAST or FIRST-LAST:STEP, such as 1-500%s", array, hint);
  }

  @Test
  void tasks_are_made_as_they_are_read() throws IOException {
    TemplateTasks.Settings array =
        new TemplateTasks.Settings(Optional.of("1-2147483639"), false, false);
    TemplateTasks tasks =
        TemplateTasks.of(List.of("p"), array, InputStream.nullInputStream(), () -> false);
    try (InputStream lines = tasks.lines(note -> {})) {
      assertThat(new String(lines.readNBytes(14), UTF_8)).isEqualTo("{\"exec\":[\"p\",\"");
    }
  }

  @Test
  void more_tasks_than_a_run_may_have_are_refused_before_any_is_made() {
    assertThatThrownBy(() -> array("1-99999999999", "p"))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "--array 1-99999999999: more than 2,147,483,639 tasks; expected them in several runs");
    assertThatThrownBy(() -> array("0-2147483638", "p", ":::", "a", "b", ":::+", "c", "d"))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith(
            "--array 0-2147483638 and ::: and :::: more than 2,147,483,639 tasks");
    assertThatNoException().isThrownBy(() -> array("0-2147483638", "p", ":::", "a"));
    assertThatNoException().isThrownBy(() -> array("0-99999999999:100", "p"));
  }

  private static TemplateTasks array(String range, String... words) {
    return TemplateTasks.of(
        List.of(words),
        new TemplateTasks.Settings(Optional.of(range), false, false),
        InputStream.nullInputStream(),
        () -> false);
  }

  @Test
  void shell_line_is_one_field() throws IOException {
    TemplateTasks.Settings shell = new TemplateTasks.Settings(Optional.empty(), true, false);
    assertThat(lines(shell, "", "wc -l < {}", ":::", "a b"))
        .isEqualTo("{\"shell\":\"wc -l < 'a b'\"}\n");
  }

  @Test
  void list_without_values_is_refused() throws IOException {
    refused("p", ":::").hasMessageStartingWith("no values after :::");
    refused("p", "::::").hasMessageStartingWith("no files after ::::");
    String empty = file("empty", new byte[0]);
    refused("p", "::::", empty).hasMessage(empty + ": no values; expected at least one");
    refused("p", "::::", empty + "x").hasMessageContaining("cannot be read: no such file");
    refused("p", ":::+", "a").hasMessageContaining("there is no source before it");
    refused("p", ":::", "a", "b", ":::+", "1").hasMessageContaining("different numbers of values");
    refused("p", ":::", "a", ":::+", "1", "2").hasMessageContaining("different numbers of values");
  }

  @Test
  void pattern_that_matched_nothing_is_refused() throws IOException {
    String there = file("a*b", new byte[0]);
    assertThat(lines("p", ":::", there)).isEqualTo(exec("p", there));
    refused("p", ":::", folder + "/*.csv").hasMessageContaining("*.csv: no file matches");
    assertThat(lines("p", ":::", "[1,2]")).isEqualTo(exec("p", "[1,2]"));
    refused("p", ":::", folder + "/[ab].csv").hasMessageContaining("[ab].csv: no file matches");
    refused("p", ":::", folder + "/a?b*").hasMessageEndingWith("remove the quotes around it");
    refused("p", ":::", there, folder + "/*.csv").hasMessageContaining("*.csv: no file matches");
    assertThat(lines("p", ":::", there, "word", "*.csv").lines())
        .as("not all of them names of files")
        .hasSize(3);
    for (String none : List.of("https://host/?id=1", "{\"a\":[1]}", "a b*")) {
      assertThat(lines("p", ":::", none)).contains("\"p\"");
    }
  }

  @Test
  void value_that_is_no_text_is_refused() throws IOException {
    String latin = file("latin", new byte[] {'a', '\n', (byte) 0xE9, '\n'});
    refused("p", "::::", latin).hasMessageStartingWith(latin + ":2: the value is not valid UTF-8");
    String binary = file("binary", new byte[] {'a', 0, 'b'});
    refused("p", "::::", binary).hasMessageStartingWith(binary + ":1: the value has a NUL byte");
    String longer = file("longer", new byte[ReadValues.MAX_BYTES + 1]);
    assertThatThrownBy(() -> lines(NUL, "", "p", "::::", latin)).isInstanceOf(UsageException.class);
    refused("p", ":::", "b\uFFFDd").hasMessageContaining("is not valid UTF-8");
    Files.writeString(Path.of(longer), "x".repeat(ReadValues.MAX_BYTES + 1));
    refused("p", "::::", longer).hasMessageStartingWith(longer + ":1: the value is too long");
  }
}
