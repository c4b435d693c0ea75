package io.cloudkon.client.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.run.RunOptions;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What the client's options come to together. */
class ClientOptionsTest {

  private static SubmitOptions parsed(String... options) {
    ClientCommand command = new ClientCommand();
    List<String> all = new ArrayList<>(List.of("-s", "Q", "-w", "tasks.txt"));
    all.addAll(List.of(options));
    new CommandLine(command).parseArgs(all.toArray(String[]::new));
    return command.options;
  }

  private static RunNumbers numbers(String... options) {
    return parsed(options).numbers(false);
  }

  private static RunOptions options(String... options) {
    return numbers(options).options("r");
  }

  @Test
  void without_options_bundles_adapt_and_have_one_claim_exactly_once() {
    RunOptions options = options();
    assertThat(options.consistency()).isEqualTo(Consistency.EXACTLY_ONCE);
    assertThat(options.claim()).isEqualTo(ClaimScope.BUNDLE);
    assertThat(options.bundler().fixedTasks()).isZero();
  }

  @Test
  void original_is_at_most_once_with_one_write_and_a_message_for_each_task() {
    RunOptions options = options("--preset", "original");
    assertThat(options.consistency()).isEqualTo(Consistency.AT_MOST_ONCE);
    assertThat(options.claim()).isEqualTo(ClaimScope.ONCE);
    assertThat(options.bundler().fixedTasks()).isEqualTo(1);
  }

  @Test
  void option_that_is_given_wins_over_the_preset() {
    assertThat(options("--preset", "original", "--consistency", "exactly-once"))
        .satisfies(options -> {
          assertThat(options.consistency()).isEqualTo(Consistency.EXACTLY_ONCE);
          assertThat(options.claim()).isEqualTo(ClaimScope.TASK);
        });
    assertThat(options("--claim", "bundle", "--preset", "original").claim())
        .isEqualTo(ClaimScope.BUNDLE);
    assertThat(options("--bundle", "50", "--preset", "original").bundler().fixedTasks())
        .isEqualTo(50);
  }

  @Test
  void preset_without_claims_still_does_one_step_after_the_other() {
    RunOptions options = options("--preset", "original", "--consistency", "at-least-once");
    assertThat(options.claim()).isEqualTo(ClaimScope.ONCE);
    assertThat(options.bundler().fixedTasks()).isEqualTo(1);
  }

  /** As 0 it meant no limit. */
  @Test
  void timeout_below_a_millisecond_is_one() {
    assertThat(options("--timeout", "500us").timeoutMillis()).isEqualTo(1);
    assertThat(options("--timeout", "1ms").timeoutMillis()).isEqualTo(1);
    assertThat(options("--timeout", "1.5ms").timeoutMillis()).isEqualTo(2);
    assertThat(options().timeoutMillis()).isZero();
  }

  @Test
  void limit_on_failures_is_taken_back_by_none() {
    SubmitOptions options = parsed("--max-failures", "none", "--detach");
    assertThat(options.maxFailures()).isEmpty();
    options.checkMaxFailures();
    assertThat(parsed("--max-failures", "3").maxFailures()).hasValue(3);
  }

  @Test
  void text_in_place_of_a_number_is_refused_with_the_limits_of_the_option() {
    assertThatThrownBy(() -> parsed("--retries", "two"))
        .hasMessageEndingWith("'two' is not a whole number from 0 to 1000");
    assertThatThrownBy(() -> parsed("-t", "99999999999"))
        .hasMessageEndingWith("'99999999999' is not a whole number from 1 to 10000");
    assertThatThrownBy(() -> parsed("--bundle", "x"))
        .hasMessageContaining("'x' is not a whole number from 1 to ");
    assertThatThrownBy(() -> parsed("--max-failures", "few"))
        .hasMessageEndingWith("'few' is not a whole number of 1 or more, nor none");
  }

  @Test
  void handlers_for_a_cluster_are_to_be_shipped() {
    assertThatThrownBy(() -> parsed("--handlers", "my jars").check(false, false))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "--handlers works only with -s LOCAL; to a cluster, send the folder of jars with"
                + " --ship 'my jars', or start its workers with --handlers");
  }

  @Test
  void collect_is_refused_where_files_is_a_folder_of_the_users(@TempDir Path out)
      throws IOException {
    RunFolder folder = RunFolder.choose("r", Optional.of(out.toString()), false);
    Files.createFile(Files.createDirectory(out.resolve("files")).resolve("thesis"));
    parsed().collect.check(folder);

    assertThatThrownBy(() -> parsed("--collect", "*.csv").collect.check(folder))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "--collect brings files to the run's folder, but %s/files does not belong to a run;"
                + " move that away, or name another folder with --out DIR",
            out);
  }

  @Test
  void claim_per_task_needs_claims() {
    RunNumbers numbers = numbers("--claim", "task", "--consistency", "at-least-once");
    assertThatThrownBy(() -> numbers.options("r"))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "--claim task cannot be combined with --consistency at-least-once, which has no"
                + " claims");
  }

  @Test
  void claim_once_goes_with_the_preset_only() {
    parsed("--claim", "once", "--preset", "original").check(false, false);
    assertThatThrownBy(() -> parsed("--claim", "once").check(false, false))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "--claim once works only with --preset original, for comparison; expected bundle or"
                + " task");
    SubmitOptions withoutPreset = parsed("--claim", "once", "--consistency", "at-most-once");
    assertThatThrownBy(() -> withoutPreset.check(false, false)).isInstanceOf(UsageException.class);
  }

  @Test
  void claim_once_never_goes_with_exactly_once() {
    RunNumbers numbers =
        numbers("--claim", "once", "--preset", "original", "--consistency", "exactly-once");
    assertThatThrownBy(() -> numbers.options("r"))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "--claim once cannot be combined with --consistency exactly-once: it does not record"
                + " that a task has ended");
  }

  @Test
  void unknown_scope_or_preset_is_refused_with_what_was_expected() {
    assertThatThrownBy(() -> numbers("--claim", "run"))
        .hasMessageContaining("expected bundle or task, not 'run'");
    assertThatThrownBy(() -> numbers("--preset", "newest"))
        .hasMessageContaining("expected original, not 'newest'");
  }

  @Test
  void resumed_run_keeps_its_claims() {
    RunHeader header =
        new RunHeader(
            "r",
            "e",
            Consistency.AT_MOST_ONCE,
            ClaimScope.TASK,
            "c",
            "Q",
            "abc",
            "/tasks.txt",
            3,
            65_536,
            0,
            0,
            List.of());
    RunOptions options = numbers("--resume", "r").resumed(header);
    assertThat(options.claim()).isEqualTo(ClaimScope.TASK);
    assertThat(options.consistency()).isEqualTo(Consistency.AT_MOST_ONCE);
  }
}
