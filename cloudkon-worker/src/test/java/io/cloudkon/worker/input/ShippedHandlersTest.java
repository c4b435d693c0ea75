package io.cloudkon.worker.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.worker.execute.HandlerRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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
