package io.cloudkon.examples.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkspaceTest {
  @TempDir private Path folder;

  @Test
  void commands_see_the_checkout_and_write_beside_it() throws Exception {
    Workspace workspace = new Workspace(folder);

    Ended ended = workspace.run("cp examples/README.md copy\necho done\n").requireSuccess();

    assertThat(ended.stdout()).isEqualTo("done\n");
    assertThat(workspace.file("copy"))
        .hasSameBinaryContentAs(Workspace.CHECKOUT.resolve("examples/README.md"));
    assertThat(Files.exists(Workspace.CHECKOUT.resolve("copy"))).isFalse();
  }

  @Test
  void command_that_fails_is_the_last_and_what_runs_in_the_background_ends() throws Exception {
    Ended ended = new Workspace(folder).run("sleep 60 &\necho $!\n(exit 7)\necho on\n", "echo end");

    List<String> lines = ended.stdout().lines().toList();
    assertThat(ended.exitCode()).isEqualTo(7);
    assertThat(lines).hasSize(2).last().isEqualTo("end");
    await().until(() -> hasEnded(Long.parseLong(lines.getFirst())));
  }

  /** A process that has ended may have a name until its parent has looked at it. */
  private static boolean hasEnded(long pid) {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty();
  }

  @Test
  void what_ended_by_itself_is_left_alone() throws Exception {
    Ended ended = new Workspace(folder).run("sleep 0 &\nwait\n");

    assertThat(ended).isEqualTo(new Ended(0, "", ""));
  }
}
