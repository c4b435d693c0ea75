package io.cloudkon.worker.input;

import io.cloudkon.core.error.OutOfDescriptors;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.worker.execute.HandlerRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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

  /** The number of tries while too many files are open; 10 s in all. */
  private static final int TRIES = 40;

  private static final long PAUSE_MILLIS = 250;

  private final CountDownLatch never = new CountDownLatch(1);
  private final Map<List<Path>, Loaded> bySet = new ConcurrentHashMap<>();

  /** The result of loading a set. */
  private sealed interface Loaded {}

  private record Joined(HandlerRegistry registry) implements Loaded {}

  /** An error in a jar, which is remembered, because it stays one. */
  private record Mistake(UsageException why) implements Loaded {

    /** Whether it is one; a jar may also have been unreadable for a moment. */
    boolean lasts() {
      return !(why.getCause() instanceof IOException) || why.getCause() instanceof ZipException;
    }
  }

  /**
   * The worker's own handlers and those of the shipments, which must stay leased while it is used.
   *
   * @throws UsageException if a shipped jar is broken, or a name is taken
   */
  HandlerRegistry of(List<UnpackedShipment> shipments, HandlerRegistry own) {
    List<Path> set = shipments.stream().map(UnpackedShipment::folder).toList();
    for (int tries = 1; ; tries++) {
      switch (bySet.computeIfAbsent(set, s -> load(shipments, own))) {
        case Joined joined -> {
          return joined.registry();
        }
        case Mistake mistake -> {
          boolean passes = OutOfDescriptors.isCause(mistake.why());
          if (passes || !mistake.lasts()) {
            boolean _ = bySet.remove(set, mistake);
          }
          if (!passes || tries == TRIES || !paused()) {
            throw mistake.why();
          }
        }
      }
    }
  }

  /** Waits; returns false if the thread was interrupted. */
  private boolean paused() {
    try {
      boolean unused = never.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
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
