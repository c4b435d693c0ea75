package io.cloudkon.worker.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.worker.execute.HandlerRegistry;
import io.cloudkon.worker.execute.HandlerSource;
import io.cloudkon.worker.execute.StoppableLoad;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
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
          try {
            while (java.nio.file.Files.size(file) < 3) { Thread.sleep(5); }
          } catch (InterruptedException e) {
            throw new IllegalStateException("not connected"); // as drivers say it
          }
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
      HandlerSource source = with -> handlers.of(List.of(shipment), with);
      StoppableLoad first = new StoppableLoad(source, own);
      await().until(() -> Files.exists(loads));
      assertThat(handlers.has(List.of(shipment))).isFalse();
      StoppableLoad second = new StoppableLoad(source, own);
      StoppableLoad third = new StoppableLoad(source, own);
      await().until(third::waits);

      second.stop();
      assertThatThrownBy(second::names).isInstanceOf(UsageException.class);

      // The task that began it is over, and the one that waits begins anew.
      first.stop();
      assertThatThrownBy(first::names).isInstanceOf(UsageException.class);
      await().until(() -> Files.size(loads) == 2);
      Files.writeString(loads, "x", StandardOpenOption.APPEND);
      assertThat(third.names()).contains("slow");
      assertThat(handlers.has(List.of(shipment))).isTrue();
      assertThat(handlers.of(List.of(shipment), own).names()).contains("slow");
      assertThat(Files.size(loads)).isEqualTo(3);
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
