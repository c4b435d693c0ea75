package io.cloudkon.worker.input;

import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.Content;
import io.cloudkon.worker.execute.FileTrees;
import io.cloudkon.worker.pipeline.BundleInHand;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cache of shipped files by their hash. A shipment is fetched once, however many slots request it
 * at the same time, and kept for as long as there is room. Shipments in use and those requested
 * last are never removed, even if they leave no room for others. A shipment that was used by
 * another run is checked before it is reused, and fetched again if any file has changed since it
 * was unpacked. Thread safe.
 */
final class ShipmentCache implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ShipmentCache.class);

  /**
   * From this number of entries on, an eighth is evicted at once, because a scan of all entries for
   * each eviction would cost more.
   */
  private static final int MANY = 1000;

  /**
   * The maximum number of shipments. Files that only one task gets may be small and as many as the
   * tasks, and each takes a folder and a kilobyte of memory.
   */
  private static final int MOST = 20_000;

  private final ShipmentFetch fetch;
  private final Fetching fetching;
  private final SlotWait patience;
  private final long mostBytes;
  private final int most;
  private final ShippedHandlers handlers = new ShippedHandlers();
  private final LastingFailures hopeless = new LastingFailures();
  private final Map<String, CachedShipment> entries = new HashMap<>();
  private Set<String> askedLast = Set.of();

  /** The unpacked size of the shipments that are here and not dropped. */
  private long bytesHere;

  private long uses;

  /**
   * An empty cache.
   *
   * @param mostBytes the maximum unpacked size of the cache
   */
  ShipmentCache(ShipmentFetch fetch, Fetching fetching, SlotWait patience, long mostBytes) {
    this(fetch, fetching, patience, mostBytes, MOST);
  }

  /** The same with another maximum number of shipments. */
  ShipmentCache(
      ShipmentFetch fetch, Fetching fetching, SlotWait patience, long mostBytes, int most) {
    this.most = most;
    this.fetch = fetch;
    this.fetching = fetching;
    this.patience = patience;
    this.mostBytes = mostBytes;
  }

  /** Leases all shipments of the bundle's tasks; waits for those that are not here yet. */
  ShipmentLease lease(BundleInHand inHand) throws InputException, GivenUpException {
    List<Content> ships = inHand.header().ships();
    synchronized (this) {
      askedLast = new HashSet<>(ships.stream().map(Content::sha256).toList());
    }
    return lease(inHand, ships);
  }

  /** Leases the shipments of one of the bundle's tasks; waits for those that are not here yet. */
  ShipmentLease lease(BundleInHand inHand, List<Content> ships)
      throws InputException, GivenUpException {
    ShipmentLease lease = new ShipmentLease(handlers, this::letGo);
    boolean complete = false;
    try {
      for (Content ship : ships) {
        lease.holdOnce(ship, () -> use(inHand.header(), ship));
      }
      for (Content ship : ships) {
        await(inHand, ship, lease);
      }
      complete = true;
      return lease;
    } finally {
      if (!complete) {
        lease.close();
      }
    }
  }

  private void await(BundleInHand inHand, Content ship, ShipmentLease lease)
      throws InputException, GivenUpException {
    String run = inHand.header().run();
    while (true) {
      CachedShipment entry = lease.entry(ship);
      try {
        patience.await(entry.shipment, inHand);
        return;
      } catch (InputException e) {
        if (entry.run.equals(run)) {
          throw e;
        }
      } catch (GivenUpException e) {
        if (!patience.wants(inHand)) {
          throw e;
        }
      }
      // Another run's copy could not be fetched, or its last waiter left when this one arrived.
      lease.replace(ship, use(inHand.header(), ship));
      letGo(List.of(entry));
    }
  }

  private CachedShipment use(BundleHeader header, Content ship) {
    while (true) {
      CachedShipment entry = pin(header.run(), ship);
      if (entry.intactFor(header.run())) {
        return entry;
      }
      drop(ship, entry);
      letGo(List.of(entry));
    }
  }

  private synchronized CachedShipment pin(String run, Content ship) {
    CachedShipment known = entries.get(ship.sha256());
    CachedShipment entry = known == null ? begin(run, ship) : known;
    entry.users++;
    entry.lastUse = ++uses;
    return entry;
  }

  /** Takes a shipment out, once; its last user removes it. */
  private synchronized void drop(Content ship, CachedShipment entry) {
    if (entries.remove(ship.sha256(), entry)) {
      LOG.warn(
          "the shipped '{}' was changed or removed on this disk, fetching it again", ship.name());
      entry.dropped = true;
      bytesHere -= entry.shipment.join().bytes();
    }
  }

  private CachedShipment begin(String run, Content ship) {
    CachedShipment entry = new CachedShipment(run);
    InputException known = hopeless.of(run, ship);
    if (known != null) {
      entry.shipment.completeExceptionally(known);
      return entry;
    }
    entries.put(ship.sha256(), entry);
    var unused =
        fetching
            .start(() -> fetch.fetch(run, ship, () -> wanted(entry), this::makeRoom))
            .whenComplete((shipment, failure) -> {
              if (failure == null) {
                arrived(entry, shipment);
                remove(evict());
              } else {
                failed(run, ship, entry, failure);
              }
            });
    return entry;
  }

  /** Removes all shipments that nobody uses, because the disk is full; returns whether any were. */
  private boolean makeRoom() {
    List<UnpackedShipment> unused = evict(0, 0);
    remove(unused);
    return !unused.isEmpty();
  }

  private synchronized void arrived(CachedShipment entry, UnpackedShipment shipment) {
    bytesHere += shipment.bytes();
    entry.shipment.complete(shipment);
  }

  private synchronized boolean wanted(CachedShipment entry) {
    return entry.users > 0;
  }

  private synchronized void failed(
      String run, Content ship, CachedShipment entry, Throwable failure) {
    entries.remove(ship.sha256(), entry);
    hopeless.add(run, ship, failure);
    entry.shipment.completeExceptionally(failure);
  }

  private void letGo(Iterable<CachedShipment> held) {
    List<UnpackedShipment> spoiled = new ArrayList<>();
    synchronized (this) {
      for (CachedShipment entry : held) {
        entry.users--;
        if (entry.dropped && entry.users == 0) {
          handlers.forget(entry.shipment.join());
          spoiled.add(entry.shipment.join());
        }
      }
    }
    spoiled.forEach(shipment -> FileTrees.remove(shipment.folder()));
    remove(evict());
  }

  /** Takes out shipments until the rest fits, the least recently used first. */
  private synchronized List<UnpackedShipment> evict() {
    if (bytesHere <= mostBytes && entries.size() <= most) {
      return List.of();
    }
    return entries.size() < MANY
        ? evict(mostBytes, most)
        : evict(mostBytes - mostBytes / 8, most - most / 8);
  }

  /** Takes out shipments until at most so many bytes and shipments are left. */
  private synchronized List<UnpackedShipment> evict(long bytes, int number) {
    List<CachedShipment> here =
        entries.values().stream()
            .filter(entry -> entry.here().isPresent())
            .sorted(Comparator.comparingLong(entry -> entry.lastUse))
            .toList();
    List<UnpackedShipment> victims = new ArrayList<>();
    for (CachedShipment entry : here) {
      UnpackedShipment shipment = entry.shipment.join();
      boolean tooMuch = bytesHere > bytes || entries.size() > number;
      if (tooMuch && entry.users == 0 && !askedLast.contains(shipment.sha256())) {
        entries.remove(shipment.sha256());
        handlers.forget(shipment);
        bytesHere -= shipment.bytes();
        victims.add(shipment);
      }
    }
    return victims;
  }

  private static void remove(List<UnpackedShipment> victims) {
    for (UnpackedShipment victim : victims) {
      LOG.debug("removing {}, {} bytes, to make room", victim.root().getFileName(), victim.bytes());
      FileTrees.remove(victim.folder());
    }
  }

  /** Closes the handlers' jars. The files are removed with the worker's folder. */
  @Override
  public void close() {
    handlers.close();
  }
}
