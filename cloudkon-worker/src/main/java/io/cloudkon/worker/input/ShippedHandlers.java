package io.cloudkon.worker.input;

import io.cloudkon.core.batch.DescriptorWait;
import io.cloudkon.core.error.OutOfDescriptors;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.worker.execute.HandlerRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handlers in shipped jars, loaded once for each set of shipments and closed when one of them is
 * removed. Shipments are identified by their folders, because a shipment that was changed on the
 * disk has the same hash as the copy that replaced it. Thread safe.
 */
final class ShippedHandlers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ShippedHandlers.class);

  private final Map<List<Path>, Loaded> bySet = new ConcurrentHashMap<>();

  /** The result of loading a set. */
  private sealed interface Loaded {}

  private record Joined(HandlerRegistry registry) implements Loaded {}

  /** An error in a jar. It is remembered if it stays one. */
  private record Mistake(UsageException why) implements Loaded {

    /** Whether it is one; a jar may also have been unreadable for a moment. */
    boolean lasts() {
      boolean ofFile =
          why.getCause() instanceof IOException && !(why.getCause() instanceof ZipException);
      return !ofFile && !OutOfDescriptors.isCause(why);
    }
  }

  /**
   * The worker's own handlers and those of the shipments, which must stay leased while it is used.
   *
   * @throws UsageException if a shipped jar is broken, or a name is taken
   */
  HandlerRegistry of(List<UnpackedShipment> shipments, HandlerRegistry own) {
    List<Path> set = shipments.stream().map(UnpackedShipment::folder).toList();
    for (int failures = 1; ; failures++) {
      switch (bySet.computeIfAbsent(set, s -> load(shipments, own))) {
        case Joined joined -> {
          return joined.registry();
        }
        case Mistake mistake -> {
          if (!mistake.lasts()) {
            boolean _ = bySet.remove(set, mistake);
          }
          if (!DescriptorWait.DEFAULT.passes(mistake.why(), failures)
              || Thread.currentThread().isInterrupted()) {
            throw mistake.why();
          }
        }
      }
    }
  }

  private static Loaded load(List<UnpackedShipment> shipments, HandlerRegistry own) {
    try {
      return new Joined(own.with(shipments.stream().map(UnpackedShipment::root).toList()));
    } catch (UsageException e) {
      return new Mistake(e);
    }
  }

  /** Closes the handlers of a shipment that is being removed and that no task uses. */
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
