package io.cloudkon.worker.input;

import io.cloudkon.core.model.Content;
import io.cloudkon.worker.execute.HandlerRegistry;
import io.cloudkon.worker.execute.HandlerSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The shipments that one slot uses until it closes this. Used by one thread. */
final class ShipmentLease implements AutoCloseable {
  private final ShippedHandlers handlers;
  private final Consumer<Iterable<CachedShipment>> letGo;
  private final Map<String, CachedShipment> held = new LinkedHashMap<>();

  /**
   * A lease of nothing yet.
   *
   * @param handlers the handlers of all shipments
   * @param letGo receives the entries that this lease no longer holds, when it is closed
   */
  ShipmentLease(ShippedHandlers handlers, Consumer<Iterable<CachedShipment>> letGo) {
    this.handlers = handlers;
    this.letGo = letGo;
  }

  /** Holds the entry of a shipment, unless it holds one of this content already. */
  void holdOnce(Content ship, Supplier<CachedShipment> entry) {
    held.computeIfAbsent(ship.sha256(), hash -> entry.get());
  }

  /** Holds another entry of a shipment; the caller lets the previous one go. */
  void replace(Content ship, CachedShipment entry) {
    held.put(ship.sha256(), entry);
  }

  /** The entry that it holds of a shipment, which may not be here yet. */
  CachedShipment entry(Content ship) {
    return Objects.requireNonNull(held.get(ship.sha256()));
  }

  /** The shipment with this hash, once it is here. */
  UnpackedShipment shipment(Content content) {
    return entry(content).shipment.join();
  }

  /** The shipments, in the order in which they were shipped. */
  List<UnpackedShipment> shipments() {
    return held.values().stream().map(entry -> entry.shipment.join()).toList();
  }

  /** The handlers in the shipments, until this is closed. */
  HandlerSource handlers() {
    List<UnpackedShipment> shipments = shipments();
    return new HandlerSource() {
      @Override
      public HandlerRegistry with(HandlerRegistry own) {
        return handlers.of(shipments, own);
      }

      @Override
      public boolean ready() {
        return handlers.has(shipments);
      }
    };
  }

  @Override
  public void close() {
    letGo.accept(held.values());
  }
}
