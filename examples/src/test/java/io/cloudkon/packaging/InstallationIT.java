package io.cloudkon.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.client.cli.ClientMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** What a user has who has unpacked the archive: no checkout, no Maven. */
class InstallationIT {
  private static final Map<String, String> NO_CACHE = Map.of("CLOUDKON_AOT", "off");

  @TempDir static Path folder;
  private static Unpacked unpacked;

  @BeforeAll
  static void unpack() throws Exception {
    unpacked = Unpacked.below(folder);
  }

  @ParameterizedTest
  @ValueSource(strings = {"version", "--version", "-V"})
  void version_is_that_of_the_build(String word) throws Exception {
    Started started = unpacked.cloudkon(word);

    assertThat(started.exitCode()).as(started.stderr()).isZero();
    assertThat(started.stdout()).isEqualTo("CloudKon %s%n".formatted(Unpacked.version()));
  }

  @Test
  void help_lists_the_commands_of_all_jars_but_those_that_need_the_emulator() throws Exception {
    Started started = unpacked.cloudkon("--help");

    assertThat(started.exitCode()).isZero();
    assertThat(started.stdout()).contains("Usage: cloudkon COMMAND").doesNotContain("./cloudkon");
    assertThat(commandsIn(started.stdout())).isEqualTo(installed());
  }

  @ParameterizedTest
  @ValueSource(strings = {"run", "plan", "dead", "worker", "provisioner"})
  void command_explains_itself(String command) throws Exception {
    Started started = unpacked.cloudkon(NO_CACHE, command, "--help");

    assertThat(started.exitCode()).as(started.stderr()).isZero();
    assertThat(started.stdout()).contains("cloudkon " + command);
    assertThat(started.stderr()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"demo", "local", "bench"})
  void command_that_needs_the_emulator_says_where_it_is(String command) throws Exception {
    Started started = unpacked.cloudkon(command, "--help");

    assertThat(started.exitCode()).isEqualTo(2);
    assertThat(started.stderr().lines())
        .singleElement()
        .asString()
        .startsWith("cloudkon: '%s' needs the emulator of a checkout: ".formatted(command))
        .contains("./cloudkon " + command);
  }

  @Test
  void unknown_command_names_the_nearest() throws Exception {
    Started started = unpacked.cloudkon(NO_CACHE, "reslts");

    assertThat(started.exitCode()).isEqualTo(2);
    assertThat(started.stderr().lines())
        .containsExactly("cloudkon: there is no command 'reslts'; did you mean 'results'?");
  }

  @Test
  void run_works_where_there_is_no_checkout_and_leaves_the_installation_as_it_was()
      throws Exception {
    Map<String, String> before = unpacked.content();

    Started started =
        unpacked.cloudkon(NO_CACHE, "run", "--out", "a run", "--", "echo", "{}", ":::", "1", "2");

    assertThat(started.exitCode()).as(started.stderr()).isZero();
    assertThat(started.stdout()).contains("all 2 tasks succeeded");
    Started results =
        unpacked.cloudkon(NO_CACHE, "results", "a run", "--format", "tsv", "--columns", "stdout");
    assertThat(results.stdout().lines()).containsExactly("stdout", "1", "2");
    assertThat(unpacked.content()).isEqualTo(before);
  }

  @Test
  void missing_jar_is_named() throws Exception {
    Path other = Files.createDirectories(folder.resolve("no jars/bin"));
    Path launcher = Files.copy(unpacked.home().resolve("bin/cloudkon"), other.resolve("cloudkon"));

    Started started = unpacked.start(Map.of(), List.of("sh", launcher.toString(), "runs"));

    assertThat(started.exitCode()).isEqualTo(2);
    assertThat(started.stderr().lines())
        .containsExactly(
            "cloudkon: %s is missing; unpack CloudKon's archive again"
                .formatted(folder.toRealPath().resolve("no jars/lib/cloudkon-client.jar")));
  }

  // ---- jars

  @ParameterizedTest
  @ValueSource(strings = {"cloudkon-client", "cloudkon-worker", "cloudkon-provisioner"})
  void jar_runs_by_itself(String name) throws Exception {
    Started started = java(unpacked.home().resolve("lib/" + name + ".jar"));

    assertThat(started.exitCode()).as(started.stderr()).isZero();
    assertThat(started.stdout()).contains("Usage:");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cloudkon-worker", "cloudkon-provisioner"})
  void jar_that_was_taken_away_from_its_neighbours_says_so(String name, @TempDir Path away)
      throws Exception {
    Path jar = away.resolve(name + ".jar");
    Files.copy(unpacked.home().resolve("lib/" + name + ".jar"), jar);

    Started started = java(jar);

    assertThat(started.exitCode()).isEqualTo(2);
    assertThat(started.stderr().lines())
        .singleElement()
        .asString()
        .contains(jar.toString(), "needs cloudkon-client.jar beside it");
  }

  private static Started java(Path jar) throws IOException, InterruptedException {
    return unpacked.start(Map.of(), List.of(Started.JAVA, "-jar", jar.toString(), "--help"));
  }

  // ---- manual pages and completion

  @Test
  void every_command_has_a_manual_page_with_all_of_its_options() throws Exception {
    for (String name : installed()) {
      String page = Files.readString(page(name));
      assertThat(page).contains(".SH NAME", ".SH SYNOPSIS", ".SH OPTIONS");
      Object command = ClientMain.command(name);
      if (command != null) {
        CommandLine line = new CommandLine(command);
        assertThat(page).contains(optionsOf(line.getCommandSpec()));
        for (Map.Entry<String, CommandLine> sub : line.getSubcommands().entrySet()) {
          assertThat(Files.readString(page(name + "-" + sub.getKey())))
              .contains(optionsOf(sub.getValue().getCommandSpec()));
        }
      }
    }
    assertThat(Files.readString(unpacked.home().resolve("share/man/man1/cloudkon.1")))
        .contains("\\fBcloudkon\\-run\\fR(1)", "\\fBcloudkon\\-provisioner\\fR(1)")
        .contains("\\fB11\\fR", "\\fB143\\fR");
  }

  private static List<String> optionsOf(CommandSpec command) {
    return command.options().stream()
        .filter(option -> !option.hidden() && !option.negatable())
        .map(OptionSpec::longestName)
        .map(option -> "\\fB" + option.replace("-", "\\-") + "\\fR")
        .toList();
  }

  private static Path page(String command) {
    return unpacked.home().resolve("share/man/man1/cloudkon-%s.1".formatted(command));
  }

  @ParameterizedTest
  @CsvSource({
    "stat, status",
    "dead re, redrive",
    "run --consist, --consistency",
    "run --consistency at-m, at-most-once",
    "provisioner --launcher e, ec2"
  })
  void bash_completes(String typed, String expected) throws Exception {
    List<String> words = new ArrayList<>(List.of("cloudkon"));
    words.addAll(List.of(typed.split(" ")));
    String script =
        """
        source "$0"
        COMP_WORDS=("$@")
        COMP_CWORD=$(($# - 1))
        _complete_cloudkon 2>/dev/null # outside of a completion, compopt complains
        printf '%s\\n' "${COMPREPLY[@]}"
        complete -p cloudkon
        """;
    List<String> command = new ArrayList<>(List.of("bash", "-c", script));
    command.add(unpacked.home().resolve("share/bash-completion/completions/cloudkon").toString());
    command.addAll(words);

    Started started = Started.of(command, Map.of());

    assertThat(started.stdout().lines().map(String::strip))
        .as(started.stderr())
        .contains(expected)
        .anyMatch(line -> line.startsWith("complete ") && line.contains("_complete_cloudkon"));
  }

  // ---- the archive itself

  @Test
  void entries_have_the_build_s_time_no_owner_and_the_right_modes() throws Exception {
    Set<String> executable = new TreeSet<>();
    Set<Object> times = new HashSet<>();
    try (var tar =
        new TarArchiveInputStream(
            new GzipCompressorInputStream(Files.newInputStream(Unpacked.ARCHIVE)))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        times.add(entry.getLastModifiedTime());
        assertThat(entry.getLongUserId() + entry.getLongGroupId()).isZero();
        assertThat(entry.getName()).startsWith("cloudkon-%s/".formatted(Unpacked.version()));
        if (entry.isDirectory() || (entry.getMode() & 0111) != 0) {
          assertThat(entry.getMode() & 0777).isEqualTo(0755);
        } else {
          assertThat(entry.getMode() & 0777).isEqualTo(0644);
        }
        if (!entry.isDirectory() && (entry.getMode() & 0111) != 0) {
          executable.add(entry.getName().replaceFirst("[^/]*/", ""));
        }
      }
    }
    assertThat(executable).containsExactly("bin/cloudkon");
    assertThat(times).hasSize(1);
  }

  @Test
  void same_jars_give_the_same_archive(@TempDir Path again) throws Exception {
    Path archive = again.resolve("cloudkon.tar.gz");
    String classPath =
        Stream.of("cloudkon-client", "cloudkon-provisioner")
            .map(name -> Started.HOME.resolve(name + "/target/" + name + ".jar").toString())
            .reduce((a, b) -> a + ":" + b)
            .orElseThrow();

    Started packed =
        Started.of(
            List.of(
                Started.JAVA,
                "-cp",
                classPath,
                "build-tools/PackArchive.java",
                Started.HOME.toString(),
                Unpacked.version(),
                "2026-01-01T00:00:00Z",
                archive.toString()),
            Map.of("TZ", "Asia/Kolkata"));

    assertThat(packed.exitCode()).as(packed.stderr()).isZero();
    assertThat(Files.mismatch(archive, Unpacked.ARCHIVE)).isEqualTo(-1);
  }

  private static Set<String> installed() {
    Set<String> commands = new TreeSet<>(ClientMain.commands());
    commands.removeAll(Set.of("demo", "local", "bench"));
    return commands;
  }

  private static Set<String> commandsIn(String help) {
    Set<String> commands = new TreeSet<>();
    help.lines()
        .filter(line -> line.matches(" {2}[a-z]+ {2,}.*"))
        .forEach(line -> commands.add(line.strip().split(" ")[0]));
    return commands;
  }
}
