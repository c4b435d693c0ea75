package io.cloudkon.examples.readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every message in docs/troubleshooting.md is one that CloudKon prints: its fixed words, those
 * between the dots, stand in one source file.
 */
class TroubleshootingTest {
  /** Fewer say nothing of where they come from. */
  private static final int FEWEST_CHARS = 8;

  /** A literal that goes on in the next one. */
  private static final Pattern JOIN = Pattern.compile("\"\\s*\\+\\s*\"");

  private static final Pattern PLACEHOLDER = Pattern.compile("%(?:[,.]?\\d*)?[sdf]|%n|\\{}");

  private static final Map<Path, String> SOURCES = new LinkedHashMap<>();

  @BeforeAll
  static void readSources() {
    for (Path source : Documents.sources()) {
      String joined = JOIN.matcher(Documents.read(source)).replaceAll("");
      SOURCES.put(source, PLACEHOLDER.matcher(joined).replaceAll("…").replace("\\\"", "\""));
    }
  }

  static Stream<String> messages() {
    String document = Documents.read(Documents.TROUBLESHOOTING);
    List<String> found = new ArrayList<>();
    for (String line : document.lines().toList()) {
      if (line.startsWith("| `")) {
        found.add(line.substring(3, line.indexOf("` |")));
      }
    }
    return found.stream();
  }

  @ParameterizedTest
  @MethodSource("messages")
  void fixed_words_of_a_message_stand_in_the_source(String message) {
    List<String> words =
        Arrays.stream(message.split("…")).filter(part -> part.length() >= FEWEST_CHARS).toList();

    assertThat(words).as("fixed words of: %s", message).isNotEmpty();
    assertThat(SOURCES.entrySet())
        .as("a source file with %s", words)
        .anyMatch(source -> words.stream().allMatch(source.getValue()::contains));
  }

  @Test
  void there_are_messages() {
    assertThat(messages()).hasSizeGreaterThan(20).doesNotHaveDuplicates();
  }
}
