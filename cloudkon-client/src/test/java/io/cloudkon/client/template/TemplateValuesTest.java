package io.cloudkon.client.template;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.UsageException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The number and the form of the values of a template's tasks. */
class TemplateValuesTest {
  private static final TemplateTasks.Settings PLAIN =
      new TemplateTasks.Settings(Optional.empty(), false, false);
  private static final TemplateTasks.Settings NUL =
      new TemplateTasks.Settings(Optional.empty(), false, true);

  @TempDir private Path folder;

  private String file(String name, byte[] content) throws IOException {
    return Files.write(folder.resolve(name), content).toString();
  }

  private static AbstractThrowableAssert<?, ?> refused(String... words) {
    return assertThatThrownBy(() -> notes(PLAIN, "", words)).isInstanceOf(UsageException.class);
  }

  /** It said neither which source had how many, nor which of several was meant. */
  @Test
  void linked_sources_with_different_numbers_of_values_are_refused_with_those() throws IOException {
    String start = "linked sources have different numbers of values: ";
    String end = "; expected one value of each for every task";
    refused("p", ":::", "1", "2", "3", ":::+", "a", "b")
        .hasMessage(start + "3 in source 1 (:::), 2 in source 2 (:::+)" + end);
    String file = file("two", "x\ny\n".getBytes(UTF_8));
    refused("p", ":::", "v", ":::", "1", "2", "3", "::::+", file)
        .hasMessage(start + "3 in source 2 (:::), 2 in source 3 (%s)" + end, file);
    refused("p", ":::", "1", "::::+", file)
        .hasMessage(start + "1 in source 1 (:::), more than 1 in source 2 (%s)" + end, file);
    refused("p", "::::", file("none", new byte[0]), ":::+", "1")
        .hasMessageContaining("0 in source 1 (");
  }

  @Test
  void numbers_of_an_array_are_padded_as_in_a_range_of_bash() {
    assertThat(array("008-010")).containsExactly("008", "009", "010");
    assertThat(array("9-0010")).containsExactly("0009", "0010");
    assertThat(array("0-10:10")).containsExactly("0", "10");
  }

  private static List<String> array(String range) {
    List<String> values = new ArrayList<>();
    ValueSource.Cursor cursor = NumberedValues.of(range).open();
    for (String value = cursor.next(); value != null; value = cursor.next()) {
      values.add(value);
    }
    return values;
  }

  /** Nothing said that a blank line is a task. */
  @Test
  void blank_lines_are_noted_when_all_lines_have_been_read() throws IOException {
    String file = file("list", "one\n\r\nlast\n\n".getBytes(UTF_8));
    assertThat(notes(PLAIN, "a\n\n", "p", "::::", "-", "::::", file))
        .containsExactly(
            "1 blank line of <stdin> is taken as an empty value",
            "2 blank lines of %s are taken as empty values".formatted(file));
    assertThat(notes(NUL, "a\0\0b", "p")).containsExactly("1 value of <stdin> is empty");
    assertThat(notes(PLAIN, "a\nb\n", "p")).isEmpty();
    assertThat(notes(PLAIN, "", "p", ":::", "")).as("given on purpose").isEmpty();
  }

  private static List<String> notes(TemplateTasks.Settings settings, String stdin, String... words)
      throws IOException {
    ByteArrayInputStream in = new ByteArrayInputStream(stdin.getBytes(UTF_8));
    List<String> notes = new ArrayList<>();
    TemplateTasks tasks = TemplateTasks.of(List.of(words), settings, in, () -> false);
    try (InputStream lines = tasks.lines(notes::add)) {
      var unused = lines.readAllBytes();
    }
    return notes;
  }
}
