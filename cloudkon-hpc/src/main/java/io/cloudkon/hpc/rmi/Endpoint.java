package io.cloudkon.hpc.rmi;

import io.cloudkon.core.error.UsageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.rmi.server.UnicastRemoteObject;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server for calls of managers and sub-workers to this worker, on one port of one address, open
 * until {@link #close}. RMI's own threads serve it, one per connection; they keep the process alive
 * until the endpoint is closed. A process may have any number of endpoints. Thread safe.
 */
public final class Endpoint implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Endpoint.class);

  private final Address address;
  private final Entrance entrance;
  private final Identity identity;
  private final Gatekeeper keeper;
  private final AtomicBoolean closed = new AtomicBoolean();

  private final RmiSettings settings;

  /** Held here because RMI holds it only by a weak reference. */
  private final Door door;

  private boolean exported;

  private Endpoint(
      Entrance entrance, Identity identity, Gatekeeper keeper, Door door, RmiSettings settings) {
    this.identity = identity;
    this.settings = settings;
    this.address = new Address(entrance.getInetAddress().getHostAddress(), entrance.getLocalPort());
    this.entrance = entrance;
    this.keeper = keeper;
    this.door = door;
  }

  /**
   * Opens an endpoint with {@linkplain RmiSettings#defaults default settings}.
   *
   * @param bindAddress an address of this machine at which the other workers reach it
   * @param port the port; 0 for any free port
   * @param manager handles calls for gangs that this worker manages
   * @param subWorker handles calls for gangs that this worker serves
   * @param secrets decides who may make which call
   * @param identity this worker's key and certificate
   * @throws UsageException if the endpoint cannot listen on that address and port
   */
  public static Endpoint open(
      String bindAddress,
      int port,
      ManagerPort manager,
      SubWorkerPort subWorker,
      Secrets secrets,
      Identity identity) {
    return open(bindAddress, port, manager, subWorker, secrets, identity, RmiSettings.defaults());
  }

  /** Opens an endpoint with these settings; the other parameters are as above. */
  public static Endpoint open(
      String bindAddress,
      int port,
      ManagerPort manager,
      SubWorkerPort subWorker,
      Secrets secrets,
      Identity identity,
      RmiSettings settings) {
    Refusals refusals = new Refusals(LOG::warn, LOG::debug, System::nanoTime);
    return open(bindAddress, port, manager, subWorker, secrets, identity, settings, refusals);
  }

  static Endpoint open(
      String bindAddress,
      int port,
      ManagerPort manager,
      SubWorkerPort subWorker,
      Secrets secrets,
      Identity identity,
      RmiSettings settings,
      Refusals refusals) {
    InetSocketAddress wanted = wanted(bindAddress, port);
    Gatekeeper keeper = new Gatekeeper(secrets, refusals);
    Door door = new Door(manager, subWorker, keeper);
    try {
      Entrance entrance = new Entrance(identity, keeper, settings).listen(wanted);
      Endpoint endpoint = new Endpoint(entrance, identity, keeper, door, settings);
      try {
        if (port != 0) {
          endpoint.export(); // peers may know the port from a worker that was here before
        }
        return endpoint;
      } catch (IOException | RuntimeException e) {
        endpoint.close();
        throw e;
      }
    } catch (IOException e) {
      throw new UsageException(
          "--rmi-address %s --rmi-port %d: cannot listen there: %s; give an address of this machine and a free port; port 0 is any"
              .formatted(bindAddress, port, e.getMessage()),
          e);
    }
  }

  private static InetSocketAddress wanted(String bindAddress, int port) {
    if (port < 0 || port > 65535) {
      throw new UsageException("--rmi-port %d: expected 0 to 65535; 0 is any".formatted(port));
    }
    InetSocketAddress socket = new InetSocketAddress(bindAddress, port);
    if (socket.isUnresolved() || socket.getAddress().isAnyLocalAddress()) {
      throw new UsageException(
          "--rmi-address %s: expected one address of this machine, by which other workers reach it"
              .formatted(bindAddress));
    }
    return socket;
  }

  /**
   * The address on which the endpoint listens, with the actual port and its fingerprint. If any
   * free port may be used, RMI is started only by the first call of this method: most workers never
   * have an HPC job, and nobody can call before knowing the address.
   *
   * @throws UncheckedIOException if RMI cannot export the object
   */
  public Address address() {
    try {
      export();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return address.of(identity.fingerprint());
  }

  private synchronized void export() throws IOException {
    if (!exported && !closed.get()) {
      entrance.leadTo(Exports.export(door, entrance, keeper, settings));
      exported = true;
    }
  }

  /**
   * The number of requests that no worker of this cluster sends: content that is not on the
   * allow-list, or no valid call at all. {@link Secrets#refused} counts wrong secrets.
   */
  public long rejected() {
    return keeper.rejected();
  }

  /** The number of connections that were made to this endpoint so far. */
  public long connections() {
    return entrance.accepted();
  }

  /** The number of open connections. */
  int open() {
    return entrance.open();
  }

  /** Closes the port and every connection at once; calls that are being served continue. */
  @Override
  public synchronized void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    try {
      if (exported) {
        UnicastRemoteObject.unexportObject(door, true);
      }
      entrance.close();
    } catch (IOException e) {
      LOG.warn("could not close {}", address, e);
    }
  }
}
