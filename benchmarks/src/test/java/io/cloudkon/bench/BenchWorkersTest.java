package io.cloudkon.bench;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.error.CloudKonException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A point of two workers is measured with two. */
class BenchWorkersTest {
  @TempDir Path folder;
  private final BenchWorkers workers = new BenchWorkers();

  private Program worker(String name) throws IOException {
    Program worker = program(name);
    workers.add(worker);
    return worker;
  }

  /** A program that waits for a line of its input. */
  private Program program(String name) throws IOException {
    return Program.start(
        name,
        folder,
        Map.of(),
        List.of(),
        List.of(),
        Optional.empty(),
        ProgramTest.Talker.class.getName(),
        List.of());
  }

  @AfterEach
  void end() throws InterruptedException {
    workers.end();
  }

  @Test
  void worker_that_died_is_noticed_though_others_live() throws Exception {
    Program dying = worker("worker-1");
    worker("worker-2");
    workers.check();

    dying.kill();
    await().until(dying::ended);

    assertThatThrownBy(workers::check)
        .isInstanceOf(CloudKonException.class)
        .hasMessageContaining("worker-1 of 2 died, so nothing was measured with 2 workers");
  }

  @Test
  void client_of_a_worker_that_died_is_not_awaited_for_ever() throws Exception {
    Program dying = worker("worker-1");
    try (Program client = program("client").watching(workers::check)) {
      dying.kill();

      assertThatThrownBy(client::end)
          .isInstanceOf(CloudKonException.class)
          .hasMessageContaining("worker-1 of 1 died");
      assertThatThrownBy(() -> client.await("ENDED ", 1))
          .isInstanceOf(CloudKonException.class)
          .hasMessageContaining("worker-1 of 1 died");
    }
  }

  @Test
  void workers_that_were_ended_have_not_died() throws Exception {
    worker("worker-1");
    workers.end();
    assertThatCode(workers::check).doesNotThrowAnyException();
  }
}
