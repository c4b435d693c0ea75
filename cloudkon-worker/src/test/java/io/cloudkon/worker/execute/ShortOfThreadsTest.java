package io.cloudkon.worker.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.model.CollectRule;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.protocol.health.Sickness;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A machine on which no more threads can be started. */
class ShortOfThreadsTest {
  private final AtomicBoolean full = new AtomicBoolean(true);
  private final Stamps stamps = new Stamps(Clock.systemUTC());

  private static TaskOutcome succeeded() {
    return TaskOutcome.plain(TaskStatus.SUCCEEDED, "", 1, 2);
  }

  private Thread thread(Runnable work) {
    if (full.get()) {
      throw new OutOfMemoryError("unable to create native thread");
    }
    return new Thread(work);
  }

  @Test
  void command_has_not_started_and_its_worker_is_suspected() throws Exception {
    try (CommandThreads threads = new CommandThreads(stamps, this::thread)) {
      assertThatThrownBy(() -> threads.run(ShortOfThreadsTest::succeeded))
          .isInstanceOfSatisfying(
              NotStartedException.class,
              e -> {
                assertThat(e.suspicion()).isInstanceOf(Sickness.Memory.class);
                assertThat(e.outcome().status()).isEqualTo(TaskStatus.FAILED);
              });
      full.set(false);
      assertThat(threads.run(ShortOfThreadsTest::succeeded).status())
          .isEqualTo(TaskStatus.SUCCEEDED);
    }
  }

  @Test
  void command_that_has_ended_well_lacks_its_files_and_says_so(@TempDir Path folder)
      throws Exception {
    try (ExecutorService threads = Executors.newCachedThreadPool(this::thread)) {
      CollectRule rule = CollectRule.NONE.of(List.of("*"));
      DirectoryLease leased = new DirectoryLease(folder, folder, Set.of(), ended -> {});

      TaskOutcome outcome =
          new CollectedOutcome(threads, null, () -> folder)
              .of(succeeded(), new OwnFiles(List.of(), rule, false), leased, new Interruption());

      assertThat(outcome.collected().file()).isNull();
      assertThat(outcome.collected().files().error()).contains("could not be packed");
    }
  }
}
