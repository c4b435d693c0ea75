package io.cloudkon.worker.execute.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Without a shell between. */
class GuardSpawnTest extends GuardContract {
  GuardSpawnTest() {
    super(Guards.SPAWN);
  }

  /** A worker may be frozen between the spawn and the entry, and wake after the kill. */
  @Test
  void command_that_is_entered_after_a_missed_beat_counts_as_killed_by_the_guard()
      throws Exception {
    try (Guard guard = Guards.SPAWN.guard(Duration.ofMillis(400));
        GuardedProcess first =
            guard.start(
                List.of("/bin/sleep", "1000"),
                temp,
                Map.of(),
                Executors.newVirtualThreadPerTaskExecutor());
        GuardedProcess late = guard.prepare(List.of("/bin/true"), temp, Map.of())) {
      SpawnedProcess spawned = (SpawnedProcess) late;
      int before = spawned.shells().expect(spawned);
      spawned.shells().enlist(spawned, before);
      assertThat(spawned.killedByGuard()).isFalse();
      spawned.shells().delist(spawned);

      assertThat(first.ends(Duration.ofSeconds(20).toNanos())).isTrue();

      await()
          .until(() -> {
            spawned.shells().enlist(spawned, before);
            return spawned.killedByGuard();
          });
    }
  }
}
