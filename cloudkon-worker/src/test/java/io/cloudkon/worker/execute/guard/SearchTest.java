package io.cloudkon.worker.execute.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SearchTest {
  private static final String MARK = "CLOUDKON_MARK_OF_SEARCH_TEST=1";
  private static final int ROUNDS = 300;

  /**
   * On a machine with more to do than it has processors, a process may stay between two programs
   * for longer than is waited for, and then the safe answer is that it may be somebody left.
   */
  private static final int BUSY_MACHINE = ROUNDS / 10;

  @TempDir private Path folder;

  @Test
  void others_that_just_become_another_program_are_not_taken_for_somebody_left() throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/loadavg")), "processes are not shown here");
    Search search = new Search(MARK, folder);
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<Void> others = CompletableFuture.runAsync(() -> startOthers(over));
    int mistaken = 0;
    try {
      for (int i = 0; i < ROUNDS; i++) {
        Process command = new ProcessBuilder("true").start();
        command.waitFor();
        mistaken += search.finds(command.pid(), 0, false) ? 1 : 0;
      }
    } finally {
      over.set(true);
      others.join();
    }
    assertThat(mistaken).isLessThan(BUSY_MACHINE);
  }

  @Test
  void somebody_with_the_mark_is_found_while_it_becomes_another_program_too() throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/loadavg")), "processes are not shown here");
    Search search = new Search(MARK, folder);
    Process command = new ProcessBuilder("true").start();
    command.waitFor();
    ProcessBuilder builder = new ProcessBuilder("sh", "-c", "exec sh -c 'exec sleep 60'");
    builder.environment().put("CLOUDKON_MARK_OF_SEARCH_TEST", "1");
    Process left = builder.start();
    try {
      for (int i = 0; i < ROUNDS; i++) {
        assertThat(search.finds(command.pid(), 0, true)).as("round %d", i).isTrue();
      }
    } finally {
      left.destroyForcibly().waitFor();
    }
  }

  private static void startOthers(AtomicBoolean over) {
    try {
      while (!over.get()) {
        new ProcessBuilder("sh", "-c", "exec true").start().waitFor();
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
