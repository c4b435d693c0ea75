package io.cloudkon.client.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What stands before and behind the {@code --}. */
class RunCommandTest {
  private final PrintStream out = System.out;
  private final PrintStream err = System.err;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  @BeforeEach
  void redirect() {
    System.setOut(new PrintStream(printed, true, UTF_8));
    System.setErr(new PrintStream(said, true, UTF_8));
  }

  @AfterEach
  void restore() {
    System.setOut(out);
    System.setErr(err);
  }

  @Test
  void dashes_that_are_missing_are_asked_for() {
    assertThat(RunCommand.run("--print", "gzip", "-9", "{}", ":::", "a")).isEqualTo(2);
    assertThat(said.toString(UTF_8)).contains("expected -- before the command: cloudkon run");
    assertThat(RunCommand.run("--print", "gzip", "--", "-9", ":::", "a")).isEqualTo(2);
    assertThat(said.toString(UTF_8)).contains("'gzip' comes before it");
    assertThat(printed.toString(UTF_8)).isEmpty();
  }

  @Test
  void help_needs_no_command() {
    assertThat(RunCommand.run("--help")).isZero();
    assertThat(printed.toString(UTF_8)).contains("cloudkon run [-s QUEUE]", "--array", "{//}");
  }
}
