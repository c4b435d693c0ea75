package io.cloudkon.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A checkout's starts during and after a build that does not end well. */
class UnfinishedBuildIT {
  private static final String HALF =
      """
      cd '%s' && mkdir -p cloudkon-client/target && echo half >cloudkon-client/target/cloudkon-client.jar
      """;

  @TempDir Path folder;
  private BareCheckout checkout;
  private Path jar;

  @BeforeEach
  void checkOut() throws IOException {
    checkout = BareCheckout.below(folder);
    jar = checkout.jar("cloudkon-client");
  }

  private String half() {
    return HALF.formatted(checkout.home());
  }

  private Started start() throws Exception {
    return checkout.cloudkon(Map.of(), "runs", "--help");
  }

  /** Builds again, although no source is newer than the jar, and prints the help. */
  private void buildsAgain() throws Exception {
    checkout.program("mvn", checkout.buildsClient());

    Started started = start();

    assertThat(started.exitCode()).as(started.stderr()).isZero();
    assertThat(started.stderr())
        .contains(
            "cloudkon: building, as target/cloudkon-building shows that the last build has not"
                + " ended; ");
    assertThat(started.stdout()).startsWith("Usage: ");
    assertThat(start().stderr()).as("the next start").isEmpty();
  }

  @Test
  void jar_of_a_build_that_failed_is_built_again() throws Exception {
    checkout.program("mvn", half() + "exit 1\n");

    Started failed = start();

    assertThat(failed.exitCode()).isEqualTo(3);
    assertThat(failed.stderr()).contains("cloudkon: the build failed; the whole log lies in ");
    assertThat(jar).hasContent("half");
    buildsAgain();
  }

  @Test
  void jar_of_a_build_whose_launcher_was_killed_is_built_again() throws Exception {
    checkout.program("mvn", half() + "kill -9 $PPID\n");

    assertThat(start().exitCode()).isEqualTo(128 + 9);

    assertThat(jar).hasContent("half");
    buildsAgain();
  }

  /** Another command's program, or a library of it, would be taken for whole by the next build. */
  @Test
  void every_jar_that_it_wrote_is_removed_and_no_other() throws Exception {
    Path whole = checkout.makeJar("cloudkon-worker");
    checkout.program(
        "mvn",
        """
        cd '%s' && mkdir -p localstack/target/lib localstack/target/s3mock examples/target/handlers
        for jar in localstack/target/lib/a localstack/target/s3mock/s3 examples/target/handlers/tiles examples/target/cloudkon-examples; do
          echo half >$jar.jar
        done
        exit 1
        """
            .formatted(checkout.home()));
    assertThat(start().exitCode()).isEqualTo(3);

    buildsAgain();

    assertThat(checkout.home().resolve("localstack/target/lib")).isEmptyDirectory();
    assertThat(checkout.home().resolve("localstack/target/s3mock")).isEmptyDirectory();
    assertThat(checkout.home().resolve("examples/target/handlers")).isEmptyDirectory();
    assertThat(checkout.jar("examples")).doesNotExist();
    assertThat(whole).exists();
  }

  @Test
  void start_during_a_build_waits_for_it() throws Exception {
    checkout.program("mvn", checkout.buildsClient());
    assertThat(start().exitCode()).isZero();
    Files.createDirectories(checkout.lock());
    Files.writeString(checkout.lock().resolve("pid"), "1 web:pid:[7]\n");
    Files.createFile(checkout.building());
    checkout.program("sleep", "rm -rf '%s' '%s'\n".formatted(checkout.lock(), checkout.building()));

    Started started = start();

    assertThat(started.exitCode()).as(started.stderr()).isZero();
    assertThat(started.stderr().lines())
        .containsExactly(
            "cloudkon: waiting for the build that process 1 on web is doing; it is taken over if it"
                + " shows no sign of life for 2 minutes");
  }

  @Test
  void mistyped_command_does_not_ask_a_jar_that_may_be_half_written() throws Exception {
    checkout.program("mvn", half() + "exit 1\n");
    assertThat(start().exitCode()).isEqualTo(3);

    Started started = checkout.cloudkon(Map.of(), "clinet");

    assertThat(started.exitCode()).isEqualTo(2);
    assertThat(started.stderr().lines())
        .containsExactly("cloudkon: there is no command 'clinet'; cloudkon --help lists them");
  }
}
