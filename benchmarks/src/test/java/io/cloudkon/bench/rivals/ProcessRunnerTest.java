package io.cloudkon.bench.rivals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessRunnerTest {
  @TempDir Path folder;
  private final AtomicReference<@Nullable Throwable> refused = new AtomicReference<>();

  /** A benchmark that learns of its end only afterwards cannot remove its files. */
  @Test
  void command_is_refused_while_what_was_started_still_ends() {
    ProcessRunner[] runner = new ProcessRunner[1];
    runner[0] = new ProcessRunner(folder, () -> refused.set(elsewhere(runner[0])));

    runner[0].stop();

    assertThat(refused.get())
        .isInstanceOf(InterruptedException.class)
        .hasMessage("the program ends");
  }

  /** The answer to another thread that starts a command. */
  private static Throwable elsewhere(ProcessRunner runner) {
    return CompletableFuture.supplyAsync(
            () -> catchThrowable(() -> runner.stand("late", List.of("true"), Map.of())))
        .orTimeout(20, TimeUnit.SECONDS)
        .join();
  }
}
