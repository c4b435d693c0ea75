package io.cloudkon.worker.input;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.worker.execute.HandlerRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handlers in shipped jars, loaded once for each set of shipments; closed when one of them goes.
 * Shipments are told apart by their folders: what was changed on the disk has the hash of the copy
 * that was fetched in its place. Thread safe.
 */
final class ShippedHandlers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ShippedHandlers.class);

  private final Map<List<Path>, Loaded> bySet = new ConcurrentHashMap<>();

  /** What came of it: a mistake in a jar stays one. */
  private sealed interface Loaded {}

  private record Joined(HandlerRegistry registry) implements Loaded {}

  private record Mistake(UsageException why) implements Loaded {}

  /**
   * The worker's own handlers and those of the shipments, which must stay until it is let go of.
   *
   * @throws UsageException if a shipped jar is broken, or a name is taken
   */
  HandlerRegistry of(List<UnpackedShipment> shipments, HandlerRegistry own) {
    List<Path> set = shipments.stream().map(UnpackedShipment::folder).toList();
    return switch (bySet.computeIfAbsent(set, s -> load(shipments, own))) {
      case Joined joined -> joined.registry();
      case Mistake mistake -> throw mistake.why();
    };
  }

  private static Loaded load(List<UnpackedShipment> shipments, HandlerRegistry own) {
    try {
      return new Joined(own.with(shipments.stream().map(UnpackedShipment::root).toList()));
    } catch (UsageException e) {
      return new Mistake(e);
    }
  }

  /** The shipment goes, and nobody uses it. */
  void forget(UnpackedShipment shipment) {
    for (List<Path> set : List.copyOf(bySet.keySet())) {
      if (set.contains(shipment.folder())) {
        close(bySet.remove(set));
      }
    }
  }

  private static void close(@Nullable Loaded loaded) {
    if (loaded instanceof Joined joined) {
      try {
        joined.registry().close();
      } catch (IOException e) {
        LOG.warn("cannot close a shipped jar: {}", e.toString());
      }
    }
  }

  @Override
  public void close() {
    List.copyOf(bySet.keySet()).forEach(set -> close(bySet.remove(set)));
  }
}
