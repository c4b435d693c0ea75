package io.cloudkon.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class UsageTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final CommandLine commandLine =
      LocalMain.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--nope",
        "--sqs-port",
        "--sqs-port=abc",
        "--sqs-port=-1",
        "--dynamodb-port=65536",
        "--s3-port=-1",
        "--emulate-latency=10",
        "--emulate-latency=2s",
        "--sqs-port=9324 --dynamodb-port=9324",
        "--dynamodb-port=9324 --s3-port=9324",
        "--background --until-stdin-closes",
        "frobnicate",
        "stop now",
      })
  void bad_usage_is_one_line_and_exit_code_2(String arguments) {
    assertThat(commandLine.execute(arguments.split(" "))).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString().lines()).singleElement().asString().endsWith("--help)");
  }

  @ParameterizedTest
  @CsvSource({
    "--nope, cloudkon local: unknown option '--nope' (see cloudkon local --help)",
    "stat, cloudkon local: unexpected argument 'stat': expected status; stop or options (see"
  })
  void what_is_not_understood_is_named(String argument, String message) {
    assertThat(commandLine.execute(argument)).isEqualTo(2);
    assertThat(err.toString()).startsWith(message.replace(';', ','));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "stop --help", "status --help"})
  void help_fits_a_screen(String arguments) {
    assertThat(commandLine.execute(arguments.split(" "))).isZero();
    assertThat(out.toString().lines()).hasSizeLessThan(24).allMatch(line -> line.length() <= 80);
  }

  @Test
  void help_shows_examples() {
    commandLine.execute("--help");
    assertThat(out.toString()).contains("Examples:", "eval \"$(cloudkon local --background)\"");
  }
}
