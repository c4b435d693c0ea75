package io.cloudkon.worker.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.worker.execute.HandlerRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shipped jars that cannot be loaded. */
class ShippedHandlersTest {
  @TempDir Path temp;
  private Path good;
  private Path shipped;
  private UnpackedShipment shipment;

  @BeforeEach
  void ship() throws IOException {
    good = Jars.with(temp.resolve("good.jar"), "mine");
    Path folder = Files.createDirectory(temp.resolve("ship"));
    shipped = folder.resolve("mine.jar");
    shipment = new UnpackedShipment("sha", folder, shipped, 1, TreeFingerprint.of(folder));
  }

  /** As where a worker has no descriptor left: all later tasks of that jar failed on it. */
  @Test
  void jar_that_could_not_be_opened_for_a_moment_is_opened_again() throws Exception {
    try (ShippedHandlers handlers = new ShippedHandlers();
        HandlerRegistry own = HandlerRegistry.builtIn()) {
      assertThatThrownBy(() -> handlers.of(List.of(shipment), own))
          .isInstanceOf(UsageException.class);

      Files.copy(good, shipped);

      assertThat(handlers.of(List.of(shipment), own).names()).contains("mine");
    }
  }

  /** Until released, its provider's constructor does not return, unless it is interrupted. */
  private static final String SLOW =
      """
      public class Slow implements io.cloudkon.core.handler.TaskHandler {
        public Slow() throws Exception {
          java.nio.file.Path file = java.nio.file.Path.of("%s");
          java.nio.file.Files.writeString(file, "x", java.nio.file.StandardOpenOption.CREATE, java.nio.file.StandardOpenOption.APPEND);
          while (java.nio.file.Files.size(file) < 3) { Thread.sleep(5); }
        }
        public String name() { return "slow"; }
        public byte[] run(java.util.List<String> args) { return null; }
      }
      """;

  /** All slots that had a task of that run waited for as long as the jar took. */
  @Test
  void only_the_task_that_loads_a_slow_jar_is_held_up_by_it() throws Exception {
    Path loads = temp.resolve("loads");
    Files.move(Jars.of(temp.resolve("slow.jar"), "Slow", SLOW.formatted(loads)), shipped);
    try (ShippedHandlers handlers = new ShippedHandlers();
        HandlerRegistry own = HandlerRegistry.builtIn()) {
      Asking first = new Asking(handlers, own);
      await().until(() -> Files.exists(loads));
      Asking second = new Asking(handlers, own);
      Asking third = new Asking(handlers, own);
      await().until(() -> third.thread.getState() == Thread.State.WAITING);

      second.thread.interrupt();
      assertThatThrownBy(second.names::join).isInstanceOf(CancellationException.class);

      // The task that began it is over, and the one that waits begins anew.
      first.thread.interrupt();
      assertThatThrownBy(first.names::join).hasCauseInstanceOf(UsageException.class);
      await().until(() -> Files.size(loads) == 2);
      Files.writeString(loads, "x", StandardOpenOption.APPEND);
      assertThat(third.names.join()).contains("slow");
      assertThat(handlers.of(List.of(shipment), own).names()).contains("slow");
      assertThat(Files.size(loads)).isEqualTo(3);
    }
  }

  /** A task that asks for the handlers. */
  private final class Asking {
    final CompletableFuture<Set<String>> names = new CompletableFuture<>();
    final Thread thread;

    Asking(ShippedHandlers handlers, HandlerRegistry own) {
      thread =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  names.complete(handlers.of(List.of(shipment), own).names());
                } catch (RuntimeException e) {
                  names.completeExceptionally(e);
                }
              });
    }
  }

  @Test
  void jar_that_is_none_is_remembered() throws Exception {
    Files.writeString(shipped, "no jar");
    try (ShippedHandlers handlers = new ShippedHandlers();
        HandlerRegistry own = HandlerRegistry.builtIn()) {
      assertThatThrownBy(() -> handlers.of(List.of(shipment), own))
          .isInstanceOf(UsageException.class);

      Files.copy(good, shipped, StandardCopyOption.REPLACE_EXISTING);

      assertThatThrownBy(() -> handlers.of(List.of(shipment), own))
          .isInstanceOf(UsageException.class);
    }
  }
}
