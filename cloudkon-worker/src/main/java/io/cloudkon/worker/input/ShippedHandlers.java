package io.cloudkon.worker.input;

import io.cloudkon.core.batch.DescriptorWait;
import io.cloudkon.core.error.OutOfDescriptors;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.worker.execute.HandlerLoad;
import io.cloudkon.worker.execute.HandlerRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
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

  private final Map<List<Path>, CompletableFuture<Loaded>> bySet = new ConcurrentHashMap<>();

  /** The result of loading a set. */
  private sealed interface Loaded {}

  private record Joined(HandlerRegistry registry) implements Loaded {}

  /**
   * An error in a jar. It is remembered if it stays one.
   *
   * @param stopped whether the task for which the jar was loaded was over
   */
  private record Mistake(UsageException why, boolean stopped) implements Loaded {

    /** Whether it is one; a jar may also have been unreadable for a moment. */
    boolean lasts() {
      boolean ofFile =
          why.getCause() instanceof IOException && !(why.getCause() instanceof ZipException);
      return !ofFile && !stopped && !OutOfDescriptors.isCause(why);
    }
  }

  /** Whether the handlers of the shipments are loaded. */
  boolean has(List<UnpackedShipment> shipments) {
    CompletableFuture<Loaded> known = bySet.get(set(shipments));
    return known != null
        && known.isDone()
        && !known.isCompletedExceptionally()
        && known.join() instanceof Joined;
  }

  private static List<Path> set(List<UnpackedShipment> shipments) {
    return shipments.stream().map(UnpackedShipment::folder).toList();
  }

  /**
   * The worker's own handlers and those of the shipments, which must stay leased while it is used.
   * Runs code of the jars. Several threads may ask for the same set; the first one loads it, and an
   * interrupt ends the wait of any other.
   *
   * @throws UsageException if a shipped jar is broken, or a name is taken
   * @throws CancellationException if the thread was interrupted while it waited
   */
  HandlerRegistry of(List<UnpackedShipment> shipments, HandlerRegistry own) {
    List<Path> set = set(shipments);
    for (int failures = 1; ; failures++) {
      switch (loaded(set, shipments, own)) {
        case Joined joined -> {
          return joined.registry();
        }
        case Mistake mistake -> {
          if (Thread.currentThread().isInterrupted()
              || (!mistake.stopped() && !DescriptorWait.DEFAULT.passes(mistake.why(), failures))) {
            throw mistake.why();
          }
        }
      }
    }
  }

  private Loaded loaded(List<Path> set, List<UnpackedShipment> shipments, HandlerRegistry own) {
    CompletableFuture<Loaded> known = bySet.get(set);
    if (known != null) {
      return await(known);
    }
    CompletableFuture<Loaded> mine = new CompletableFuture<>();
    known = bySet.putIfAbsent(set, mine);
    if (known != null) {
      return await(known);
    }
    Loaded loaded;
    try {
      loaded = load(shipments, own);
    } catch (RuntimeException | Error e) {
      boolean _ = bySet.remove(set, mine);
      boolean _ = mine.completeExceptionally(e);
      throw e;
    }
    if (loaded instanceof Mistake mistake && !mistake.lasts()) {
      boolean _ = bySet.remove(set, mine);
    }
    boolean _ = mine.complete(loaded);
    if (loaded instanceof Mistake mistake && mistake.stopped()) {
      throw mistake.why();
    }
    return loaded;
  }

  private static Loaded await(CompletableFuture<Loaded> loading) {
    try {
      return loading.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted while another task loads the handlers");
    } catch (ExecutionException e) {
      throw new UsageException("shipped handlers cannot be loaded: " + e.getCause(), e.getCause());
    }
  }

  private static Loaded load(List<UnpackedShipment> shipments, HandlerRegistry own) {
    try {
      return new Joined(own.with(shipments.stream().map(UnpackedShipment::root).toList()));
    } catch (UsageException e) {
      return new Mistake(e, HandlerLoad.isStopped());
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

  /** Closes the jars of a set, once they are loaded. */
  private static void close(@Nullable CompletableFuture<Loaded> loading) {
    if (loading != null) {
      var unused = loading.thenAccept(ShippedHandlers::close);
    }
  }

  private static void close(Loaded loaded) {
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
