package io.cloudkon.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.handler.TaskHandler;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.testing.EmulatorProcess;
import io.cloudkon.faults.WorkerProcess.Recipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker that loses its lease while AWS does not answer, and whose task cannot be stopped. */
class DeafTaskIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** The lease, a second until the task counts as deaf, the margin; the rest is for the machine. */
  private static final Duration MOST = WorkerProcess.LEASE.plus(Duration.ofSeconds(6));

  @TempDir private Path folder;

  /** Its orderly end waited for four calls of ten seconds, beside the task's next attempt. */
  @Test
  void worker_whose_task_ignores_the_loss_of_its_lease_ends_before_the_next_attempt()
      throws Exception {
    Path handlers = folder.resolve("handlers");
    HandlerJar.write(handlers.resolve("deaf.jar"), TaskHandler.class, DeafHandler.class);
    Path started = folder.resolve("started");
    try (EmulatorProcess aws = EmulatorProcess.start();
        TestCluster cluster = new TestCluster(aws);
        WorkerProcess worker =
            new Recipe(cluster, folder)
                .slots(1)
                .with("--handlers", handlers.toString())
                .shortLease()
                .start()
                .awaitReady();
        ClientProcess client =
            ClientProcess.start(
                cluster,
                folder,
                Consistency.EXACTLY_ONCE,
                List.of("java deaf " + started),
                Map.of(),
                "--bundle",
                "1")) {
      await().atMost(LIMIT).until(() -> Files.exists(started));

      Processes.signal(aws.process(), "STOP");
      long stopped = System.nanoTime();
      int exitCode = worker.awaitExit(LIMIT);
      Duration took = Duration.ofNanos(System.nanoTime() - stopped);
      Processes.signal(aws.process(), "CONT");

      assertThat(exitCode).as(worker.stderr()).isEqualTo(ExitCodes.SERVICE);
      assertThat(took).as(worker.stderr()).isLessThan(MOST);
      assertThat(worker.stderr()).contains("a task ignores its interruption and other workers");
      assertThat(client.alive()).isTrue();
    }
  }
}
