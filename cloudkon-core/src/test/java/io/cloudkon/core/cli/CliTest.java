package io.cloudkon.core.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.config.Durations;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Consistency;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

final class CliTest {
  @TempDir Path folder;

  private final Map<String, String> environment = new HashMap<>();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  interface Body {
    int run(Sample options) throws Exception;
  }

  @Command(name = "client", mixinStandardHelpOptions = true, description = "Sends tasks.")
  static final class Sample implements Callable<Integer> {
    @Option(
        names = {"-s", "--queue"},
        required = true,
        description = "The cluster.")
    String queue;

    @Option(names = "--lease", defaultValue = "15s", converter = Durations.WithUnit.class)
    Duration lease;

    @Option(names = "--tries", defaultValue = "3")
    int tries;

    @Option(names = "--consistency", defaultValue = "exactly-once")
    Consistency consistency;

    @Option(names = "--quiet")
    boolean quiet;

    @Option(names = "--fair", negatable = true)
    Boolean fair;

    @Mixin AwsOptions aws = new AwsOptions();

    Body body = options -> 0;

    @Override
    public Integer call() throws Exception {
      return body.run(this);
    }
  }

  @Test
  void wrong_number_is_named_without_a_type_of_java() {
    int code = run(options -> 0, "-s", "Q", "--tries", "three");

    assertThat(code).isEqualTo(2);
    assertThat(err.toString()).contains("'three' is not a whole number;");
    assertThat(run(options -> 0, "-s", "Q", "--tries", "99999999999")).isEqualTo(2);
    assertThat(err.toString()).contains("'99999999999' is not a whole number up to 2147483647;");
  }

  @Test
  void flag_on_the_command_line_is_set_whatever_the_environment_says() {
    for (String set : List.of("true", "false")) {
      environment.put("CLOUDKON_OPT_QUIET", set);
      environment.put("CLOUDKON_OPT_FAIR", set);

      assertThat(
              run(options -> options.quiet && options.fair ? 7 : 0, "-s", "Q", "--quiet", "--fair"))
          .as("environment says %s", set)
          .isEqualTo(7);
      assertThat(run(options -> options.fair ? 0 : 7, "-s", "Q", "--no-fair")).isEqualTo(7);
      assertThat(run(options -> String.valueOf(options.quiet).equals(set) ? 7 : 0, "-s", "Q"))
          .isEqualTo(7);
    }
  }

  private int run(Body body, String... args) {
    Sample sample = new Sample();
    sample.body = body;
    return new Cli(environment, new PrintWriter(out, true), new PrintWriter(err, true), false)
        .execute(sample, args);
  }

  private int failing(Exception e) {
    return run(
        options -> {
          throw e;
        },
        "-s",
        "Q");
  }

  @Test
  void command_that_ends_gives_its_own_exit_code() {
    assertThat(run(options -> 0, "-s", "Q")).isEqualTo(ExitCodes.SUCCESS);
    assertThat(run(options -> 1, "-s", "Q")).isEqualTo(ExitCodes.SOME_FAILED);
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void unknown_option_is_one_line_with_the_nearest_one() {
    assertThat(run(options -> 0, "-s", "Q", "--leese", "3s")).isEqualTo(ExitCodes.USAGE);

    assertThat(err.toString())
        .isEqualToIgnoringNewLines(
            "cloudkon client: unknown option '--leese'; did you mean '--lease'?"
                + " see cloudkon client --help");
  }

  /** As of {@code dead -s Q}. */
  @Test
  void command_whose_own_command_is_missing_names_those_that_it_has() {
    String expected = "cloudkon dead: a command is missing; expected one of: list; see";
    for (String[] words : new String[][] {{"-s", "Q"}, {}}) {
      assertThat(
              new Cli(environment, new PrintWriter(out), new PrintWriter(err, true), false)
                  .execute(new Dead(), words))
          .isEqualTo(ExitCodes.USAGE);
      assertThat(err.toString()).startsWith(expected).hasLineCount(1);
      err.getBuffer().setLength(0);
    }
  }

  @Command(name = "dead", subcommands = DeadList.class)
  static final class Dead {}

  @Command(name = "list")
  static final class DeadList implements Callable<Integer> {
    @Override
    public Integer call() {
      return 0;
    }
  }

  @Test
  void unexpected_argument_is_named() {
    assertThat(run(options -> 0, "-s", "Q", "surplus")).isEqualTo(ExitCodes.USAGE);
    assertThat(err.toString())
        .startsWith("cloudkon client: unexpected argument 'surplus'")
        .hasLineCount(1);
  }

  @Test
  void missing_option_is_named() {
    assertThat(run(options -> 0)).isEqualTo(ExitCodes.USAGE);
    assertThat(err.toString())
        .startsWith("cloudkon client: missing required option: '--queue <queue>'")
        .hasLineCount(1);
  }

  @Test
  void consistency_is_written_with_dashes() {
    Body atMostOnce = options -> options.consistency == Consistency.AT_MOST_ONCE ? 0 : 1;

    assertThat(run(atMostOnce, "-s", "Q", "--consistency", "at-most-once")).isZero();
    assertThat(run(atMostOnce, "-s", "Q")).isEqualTo(1);
    assertThat(run(atMostOnce, "-s", "Q", "--consistency", "twice")).isEqualTo(2);
    assertThat(err.toString())
        .contains("'twice' is not one of exactly-once, at-most-once, at-least-once")
        .hasLineCount(1);
  }

  @Test
  void wrong_value_says_what_was_expected() {
    assertThat(run(options -> 0, "-s", "Q", "--lease", "soon")).isEqualTo(ExitCodes.USAGE);
    assertThat(err.toString())
        .contains("'--lease'", "'soon' is not a duration; expected one such as")
        .hasLineCount(1);
  }

  @Test
  void wrong_value_from_a_file_or_variable_says_where_it_was_set() throws Exception {
    Path file = Files.writeString(folder.resolve("c.properties"), "lease = soon\n");

    assertThat(run(options -> 0, "-s", "Q", "--config", file.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("(set by " + file + " line 1)").hasLineCount(1);

    err.getBuffer().setLength(0);
    environment.put("CLOUDKON_OPT_LEASE", "later");
    assertThat(run(options -> 0, "-s", "Q", "--config=" + file)).isEqualTo(2);
    assertThat(err.toString()).contains("(set by environment variable CLOUDKON_OPT_LEASE)");
  }

  @Test
  void config_may_be_named_by_a_variable_and_provides_required_options() throws Exception {
    Path file = Files.writeString(folder.resolve("c.properties"), "queue = fromfile\n");
    environment.put("CLOUDKON_OPT_CONFIG", file.toString());

    int code = run(options -> options.queue.equals("fromfile") ? 0 : 1);

    assertThat(code).as(err.toString()).isZero();
  }

  @Test
  void unknown_key_or_variable_is_a_usage_error() throws Exception {
    Path file = Files.writeString(folder.resolve("c.properties"), "leas = 3s\n");
    assertThat(run(options -> 0, "-s", "Q", "--config", file.toString())).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("cloudkon client: " + file + " line 1: unknown key 'leas'")
        .hasLineCount(1);

    environment.put("CLOUDKON_OPT_NOTHING", "1");
    assertThat(run(options -> 0, "-s", "Q")).isEqualTo(2);
    assertThat(err.toString()).contains("unknown environment variable CLOUDKON_OPT_NOTHING");
  }

  @Test
  void known_failures_end_with_their_exit_codes_and_one_line() {
    assertThat(failing(new UsageException("bad\n  workload"))).isEqualTo(ExitCodes.USAGE);
    assertThat(failing(new CloudKonException("no service"))).isEqualTo(ExitCodes.SERVICE);
    assertThat(failing(new InterruptedException())).isEqualTo(ExitCodes.INTERRUPTED);

    assertThat(err.toString().lines())
        .containsExactly(
            "cloudkon client: bad workload",
            "cloudkon client: no service",
            "cloudkon client: interrupted");
  }

  @Test
  void mistake_of_ours_is_one_line_and_a_stack_trace_only_for_debugging() {
    assertThat(failing(new IllegalStateException("oops"))).isEqualTo(1);
    assertThat(err.toString())
        .contains("internal error: java.lang.IllegalStateException: oops", "CLOUDKON_DEBUG=1")
        .hasLineCount(1);

    environment.put("CLOUDKON_DEBUG", "1");
    assertThat(failing(new IllegalStateException("oops"))).isEqualTo(1);
    assertThat(err.toString()).contains("\tat io.cloudkon.core.cli.CliTest");
  }

  @Test
  void error_is_one_line_too() {
    int code =
        run(
            options -> {
              throw new AssertionError("never");
            },
            "-s",
            "Q");

    assertThat(code).isEqualTo(1);
    assertThat(err.toString()).contains("internal error: java.lang.AssertionError: never");
  }

  @Test
  void help_goes_to_standard_output_within_80_columns_and_without_colours() {
    assertThat(run(options -> 1, "--help")).isZero();

    assertThat(out.toString()).startsWith("Usage: cloudkon client").doesNotContain("\u001b");
    assertThat(out.toString().lines()).allSatisfy(l -> assertThat(l).hasSizeLessThanOrEqualTo(80));
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void help_comes_even_where_the_configuration_is_broken() {
    environment.put("CLOUDKON_OPT_NOTHING", "1");

    assertThat(run(options -> 1, "--help")).isZero();
  }

  @Test
  void version_names_the_program_and_its_java() {
    assertThat(run(options -> 1, "--version")).isZero();

    assertThat(out.toString()).startsWith("cloudkon ").contains("(Java 25");
  }

  @Test
  void value_after_two_dashes_is_no_help() {
    assertThat(run(options -> 0, "-s", "Q", "--", "--help")).isEqualTo(ExitCodes.USAGE);
  }
}
