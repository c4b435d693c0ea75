package io.cloudkon.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LauncherIT {

  @ParameterizedTest
  @ValueSource(strings = {"--help", "-h", "help"})
  void help_lists_the_commands_on_one_screen(String option) throws Exception {
    Started started = cloudkon(Map.of(), option);

    assertThat(started.exitCode()).isZero();
    assertThat(started.stdout()).contains("demo", "client", "worker", "local");
    assertThat(started.stdout().lines()).hasSizeLessThanOrEqualTo(24);
  }

  @Test
  void no_command_shows_the_help_as_an_error() throws Exception {
    Started started = cloudkon(Map.of());

    assertThat(started.exitCode()).isEqualTo(2);
    assertThat(started.stderr()).contains("Usage:");
  }

  @Test
  void unknown_command_is_refused_in_one_line() throws Exception {
    Started started = cloudkon(Map.of(), "clinet");

    assertThat(started.exitCode()).isEqualTo(2);
    assertThat(started.stderr().lines())
        .containsExactly("cloudkon: there is no command 'clinet'; did you mean 'client'?");
  }

  @Test
  void too_old_java_home_is_passed_over_for_one_that_is_new_enough(@TempDir Path old)
      throws Exception {
    Files.createDirectory(old.resolve("bin"));
    Files.writeString(old.resolve("release"), "JAVA_VERSION=\"17.0.1\"\n");
    Files.writeString(old.resolve("bin/java"), "#!/bin/sh\nexit 99\n");
    Files.setPosixFilePermissions(
        old.resolve("bin/java"), PosixFilePermissions.fromString("rwxr-xr-x"));

    Started started = cloudkon(Map.of("JAVA_HOME", old.toString(), "PATH", path()), "client", "-h");

    assertThat(started.exitCode()).as(started.stderr()).isZero();
  }

  /** With it, cd goes elsewhere, or prints where it went. */
  @ParameterizedTest
  @ValueSource(strings = {".", ":/", "/usr:."})
  void search_path_of_cd_does_not_mislead_a_relative_start(String searched) throws Exception {
    Path home = Started.HOME;

    Started started =
        Started.of(
            List.of(home.getFileName() + "/cloudkon", "version"),
            Map.of("CDPATH", searched),
            home.getParent());

    assertThat(started.stderr()).isEmpty();
    assertThat(started.stdout()).isEqualTo("CloudKon %s%n".formatted(Unpacked.version()));
  }

  @Test
  void java_options_reach_the_program() throws Exception {
    Started started = cloudkon(Map.of("JAVA_OPTS", "-showversion"), "client", "--help");

    assertThat(started.exitCode()).isZero();
    assertThat(started.stdout() + started.stderr()).contains("Runtime Environment");
  }

  /** HotSpot refuses to start with two. */
  @ParameterizedTest
  @CsvSource({
    "JAVA_OPTS, G1, runs --help",
    "CLOUDKON_JAVA_OPTS, Parallel, results nowhere",
    "JDK_JAVA_OPTIONS, G1, client --help",
    "JAVA_TOOL_OPTIONS, G1, clinet",
    "_JAVA_OPTIONS, G1, runs --help",
    "JAVA_OPTS, Serial, status --last"
  })
  void collector_that_the_user_has_chosen_is_the_only_one(
      String variable, String collector, String command) throws Exception {
    Started started =
        cloudkon(
            Map.of(variable, "-XX:+Use" + collector + "GC -Xlog:gc:stderr"), command.split(" "));

    assertThat(started.stderr())
        .contains("Using " + collector)
        .doesNotContain("garbage collectors");
    assertThat(started.exitCode()).isEqualTo(command.endsWith("--help") ? 0 : 2);
  }

  @Test
  void temporary_files_lie_where_the_user_wants_them(@TempDir Path folder) throws Exception {
    Path place = Files.createDirectory(folder.resolve("a place"));
    Path said = folder.resolve("said");

    Started started =
        cloudkon(
            Map.of("TMPDIR", place.toString()),
            "run",
            "--out",
            "none",
            "--ship",
            "README.md",
            "--shell",
            "--",
            "pwd > " + said,
            ":::",
            "");

    assertThat(started.exitCode()).as(started.stderr()).isZero();
    assertThat(said).content().startsWith(place.toString());
  }

  /** A path that leads with the java that runs this test, so that the launcher finds one. */
  private static String path() {
    return Path.of(Started.JAVA).getParent() + ":" + System.getenv("PATH");
  }

  private static Started cloudkon(Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("./cloudkon"));
    command.addAll(List.of(arguments));
    Map<String, String> all = new HashMap<>(Map.of("CLOUDKON_BUILD", "off"));
    all.putAll(environment);
    return Started.of(command, all);
  }
}
