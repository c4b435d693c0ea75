package io.cloudkon.client.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.client.report.Resuming;
import io.cloudkon.client.report.RunFolder;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ResumeCommandTest {
  private static ResumeCommand of(Optional<String> out, String workload, boolean streamed) {
    return new ResumeCommand("Q", "r-1", RunFolder.choose("r-1", out, false), workload, streamed);
  }

  @Test
  void command_is_as_short_as_can_be() {
    assertThat(of(Optional.empty(), "tasks.txt", false).advice())
        .isEqualTo("resume it with: cloudkon client -s Q --resume r-1");
  }

  @Test
  void folder_of_the_users_own_is_named() {
    assertThat(of(Optional.of("my results/it's"), "tasks.txt", false).resume())
        .isEqualTo("cloudkon client -s Q --resume r-1 --out 'my results/it'\\''s'");
  }

  /** A copy of the folder would be found by the run's id, too. */
  @Test
  void folder_in_this_directory_is_named() {
    assertThat(of(Optional.of("results"), "tasks.txt", false).resume())
        .isEqualTo("cloudkon client -s Q --resume r-1 --out results");
    assertThat(of(Optional.of("/results"), "tasks.txt", false).resume())
        .isEqualTo("cloudkon client -s Q --resume r-1 --out /results");
    assertThat(Resuming.command("Q", "r-1", Path.of("."))).endsWith(" --out .");
    assertThat(Resuming.command("Q", "r-1", Path.of(".."))).endsWith(" --out ..");
  }

  @Test
  void standard_input_is_asked_for_again() {
    assertThat(of(Optional.empty(), "-", false).resume()).contains(" -w FILE");
  }

  @Test
  void run_that_cannot_be_resumed_can_be_cancelled() {
    assertThat(of(Optional.of("none"), "tasks.txt", false).advice())
        .isEqualTo(
            "a run without files (--out none) cannot be resumed, cancel it with: cloudkon cancel -s"
                + " Q r-1");
    assertThat(of(Optional.empty(), "tasks.txt", true).advice()).startsWith("a streamed run");
  }
}
