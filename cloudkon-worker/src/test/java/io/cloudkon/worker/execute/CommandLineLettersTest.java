package io.cloudkon.worker.execute;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class CommandLineLettersTest {
  private static final List<String> WORDS = List.of("printf", "größe");

  @Test
  void argument_that_the_locale_cannot_write_fails_the_task() {
    assertThatThrownBy(() -> CommandLine.checkLetters(WORDS, US_ASCII))
        .isInstanceOfSatisfying(
            CommandLine.CannotStartException.class, e -> assertThat(e.exitCode()).isEqualTo(126))
        .hasMessageContaining(
            "'größe' has characters that this worker's locale (US-ASCII) does not support");
  }

  @Test
  void other_arguments_pass() {
    assertThatCode(() -> CommandLine.checkLetters(WORDS, UTF_8)).doesNotThrowAnyException();
    assertThatCode(() -> CommandLine.checkLetters(List.of("ls", "-l"), US_ASCII))
        .doesNotThrowAnyException();
  }
}
