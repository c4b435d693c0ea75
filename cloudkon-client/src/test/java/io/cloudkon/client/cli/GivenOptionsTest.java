package io.cloudkon.client.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.cloudkon.client.report.KeptOptions;
import io.cloudkon.client.session.Fairness;
import io.cloudkon.core.config.LayeredDefaults;
import io.cloudkon.core.error.LocalFileException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Priority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class GivenOptionsTest {
  @TempDir Path temp;

  private static CommandSpec client(Map<String, String> environment, String... options) {
    CommandLine line = new CommandLine(new ClientCommand());
    line.setDefaultValueProvider(LayeredDefaults.load(line.getCommandSpec(), environment, null));
    line.parseArgs(options);
    return line.getCommandSpec();
  }

  @Test
  void those_of_the_command_line_and_the_environment_last_but_what_concerns_one_run_only() {
    CommandSpec spec =
        client(
            Map.of("CLOUDKON_OPT_RETRIES", "3", "CLOUDKON_OPT_TIMEOUT", "5m", "OTHER", "x"),
            "-s=Q",
            "-w=tasks.txt",
            "--timeout=30s",
            "--ship=data",
            "--ship=/fit.py",
            "--detach",
            "--force",
            "--out=here",
            "--run-id=r");

    assertThat(GivenOptions.of(spec).lasting().values())
        .containsOnly(
            entry("--retries", List.of("3")),
            entry("--timeout", List.of("30s")),
            entry("--ship", List.of(Path.of("data").toAbsolutePath().toString(), "/fit.py")));
  }

  /** A rerun ignored them. */
  @Test
  void options_in_a_file_that_the_command_line_names_are_given() throws IOException {
    Path file = Files.writeString(temp.resolve("c"), "retries = 3\ntimeout = 1h\nbundle = 7\n");
    CommandLine line = new CommandLine(new ClientCommand());
    line.setDefaultValueProvider(
        LayeredDefaults.load(line.getCommandSpec(), Map.of("CLOUDKON_OPT_BUNDLE", "8"), file));
    line.parseArgs("-s=Q", "--timeout=2h", "--config=" + file);

    assertThat(GivenOptions.explicitly(line.getCommandSpec(), Set.of()).lasting().values())
        .containsOnly(
            entry("--retries", List.of("3")),
            entry("--timeout", List.of("2h")),
            entry("--bundle", List.of("7")));
    line.parseArgs("-s=Q", "--timeout=2h");
    assertThat(GivenOptions.explicitly(line.getCommandSpec(), Set.of()).lasting().values())
        .containsOnly(entry("--timeout", List.of("2h")));
  }

  /** The file's values went before those of the environment. */
  @Test
  void file_sets_neither_what_the_environment_sets_nor_what_it_must_not() throws IOException {
    Path file =
        Files.writeString(
            temp.resolve("c"),
            "bucket = file\nquiet = false\njson = true\nout = here\nforce = true\nrun-id = r\n");
    CommandLine line = new CommandLine(new ClientCommand());
    Map<String, String> environment =
        Map.of("CLOUDKON_OPT_BUCKET", "mine", "CLOUDKON_OPT_QUIET", "true");
    line.setDefaultValueProvider(LayeredDefaults.load(line.getCommandSpec(), environment, file));
    line.parseArgs("-s=Q", "--config=" + file);

    GivenOptions given =
        GivenOptions.explicitly(line.getCommandSpec(), Set.of("--out", "--force", "--run-id"));
    assertThat(given.values())
        .containsOnly(
            entry("--config", List.of(file.toString())),
            entry("--json", List.of("true")),
            // before those of the first run, as the file's would be
            entry("--bucket", List.of("mine")),
            entry("--quiet", List.of("true")));
  }

  /** They were those of the resuming command: none. */
  @Test
  void run_that_is_resumed_keeps_its_bundles_and_its_priority() throws IOException {
    Map<String, List<String>> submitted =
        Map.of(
            "--bundle", List.of("7"),
            "--max-failures", List.of("3"),
            "--bundle-target", List.of("1s"),
            "--ship", List.of("/data"),
            "--priority", List.of("low"));
    Map<String, String> environment =
        Map.of("CLOUDKON_OPT_BUNDLE", "9", "CLOUDKON_OPT_PRIORITY", "high");

    SubmitOptions same = GivenOptions.resumed(client(environment, "-s=Q", "--resume=r"), submitted);
    assertThat(same.bundle).isEqualTo(7);
    assertThat(same.bundleTarget).isEqualTo(Duration.ofSeconds(1));
    assertThat(same.fairness())
        .isEqualTo(new Fairness(Optional.empty(), Optional.of(Priority.LOW), false));
    assertThat(same.ship).isEmpty();
    // results that came while no client counted them would cancel the run
    assertThat(same.maxFailures()).isEmpty();

    SubmitOptions other =
        GivenOptions.resumed(
            client(environment, "-s=Q", "--resume=r", "--bundle=2", "--priority=normal"),
            submitted);
    assertThat(other.bundle).isEqualTo(2);
    assertThat(other.fairness().priority()).contains(Priority.NORMAL);

    Path file = Files.writeString(temp.resolve("c"), "bundle = 5\nmax-failures = 50\n");
    CommandLine line = new CommandLine(new ClientCommand());
    line.setDefaultValueProvider(LayeredDefaults.load(line.getCommandSpec(), Map.of(), file));
    line.parseArgs("-s=Q", "--resume=r", "--config=" + file);
    SubmitOptions named = GivenOptions.resumed(line.getCommandSpec(), submitted);
    assertThat(named.bundle).isEqualTo(5);
    assertThat(named.maxFailures()).hasValue(50);
  }

  @Test
  void options_that_are_given_again_win_as_a_whole() {
    GivenOptions kept =
        new GivenOptions(
            Map.of("--ship", List.of("/a", "/b"), "--retries", List.of("2"), "-t", List.of("4")));
    GivenOptions given =
        GivenOptions.onCommandLine(
            client(Map.of(), "-s=Q", "--ship=/c", "--timeout=2h", "--detach", "--bundle=7"));

    SubmitOptions options = kept.under(given).parse();
    assertThat(options.ship).containsExactly(Path.of("/c"));
    assertThat(options.timeout).isEqualTo(Duration.ofHours(2));
    assertThat(options.retries).isEqualTo(2);
    assertThat(options.threads).isEqualTo(4);
    assertThat(options.bundle).isEqualTo(7);
    assertThat(options.detach).isTrue();
  }

  @Test
  void flag_that_is_switched_off_stays_off_and_the_environment_adds_nothing_to_a_rerun() {
    Map<String, String> environment =
        Map.of(
            "CLOUDKON_OPT_DETACH", "false",
            "CLOUDKON_OPT_NO_PROGRESS", "false",
            "CLOUDKON_OPT_RETRIES", "3",
            "CLOUDKON_OPT_BUCKET", "mine");
    GivenOptions given = GivenOptions.onCommandLine(client(Map.of(), "-s=Q", "--detach=false"));

    SubmitOptions options =
        GivenOptions.surroundings(client(environment, "-s=Q")).under(given).parse();
    assertThat(options.detach).isFalse();
    assertThat(options.print.noProgress).isFalse();
    assertThat(options.retries).isZero();
    assertThat(options.aws.arguments()).containsExactly("--bucket", "mine");
  }

  @Test
  void option_of_another_version_and_damage_are_said() throws IOException {
    GivenOptions unknown = new GivenOptions(Map.of("--warp", List.of("9")));
    assertThatThrownBy(unknown::parse)
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("--warp: a submission has no such option");
    for (String damaged :
        List.of("", "null", "{}", "{\"directory\":\"/\",\"options\":{\"--ship\":\"x\"}}", "{")) {
      Files.writeString(temp.resolve("cloudkon.json"), damaged);
      assertThatThrownBy(() -> KeptOptions.in(temp))
          .isInstanceOf(LocalFileException.class)
          .hasMessageContaining("cloudkon.json is damaged");
    }
  }

  @Test
  void they_are_read_back_as_they_were_written() throws IOException {
    KeptOptions kept =
        new KeptOptions(
            Path.of("/home/größe \"x\""),
            Optional.of("workload.txt"),
            Map.of("--ship", List.of("/a b", "/b/c~d"), "-t", List.of("4")));
    kept.file().copy().writeTo(temp.resolve(kept.file().name()));

    assertThat(KeptOptions.in(temp)).hasValue(kept);
    assertThat(KeptOptions.in(Files.createDirectory(temp.resolve("none")))).isEmpty();
  }
}
