package io.cloudkon.worker.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cloudkon.worker.execute.spawn.Spawner;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that is still open for writing when it is to be executed. */
class BusyProgramTest {
  @TempDir Path temp;

  @Test
  void program_starts_once_nobody_has_it_open_for_writing() throws Exception {
    assumeTrue(Spawner.ofThisMachine().isPresent(), "commands cannot be spawned here");
    Path program = Files.copy(Path.of("/bin/echo"), temp.resolve("program"));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    try (Runs runs = new Runs(Runs.CONFIG)) {
      CompletableFuture<TaskOutcome> outcome;
      try (FileChannel open = FileChannel.open(program, StandardOpenOption.WRITE)) {
        outcome = runs.start(Tasks.argv(program.toString(), "ran"));
        await().until(BusyProgramTest::isTriedAgain);
        assertThat(open.isOpen()).isTrue();
      }

      assertThat(outcome.join().error()).isEmpty();
      assertThat(Runs.text(outcome.join().stdout())).isEqualTo("ran\n");
    }
  }

  private static boolean isTriedAgain() {
    return Thread.getAllStackTraces().values().stream()
        .anyMatch(stack ->
            Arrays.stream(stack).anyMatch(frame -> frame.getMethodName().equals("startedOnceFree"))
                && Arrays.stream(stack).anyMatch(frame -> frame.getMethodName().equals("sleep")));
  }
}
