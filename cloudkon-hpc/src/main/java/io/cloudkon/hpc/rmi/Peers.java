package io.cloudkon.hpc.rmi;

import io.cloudkon.core.model.Limits;
import java.io.IOException;
import java.rmi.RemoteException;
import java.util.LinkedHashMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stubs in use, by address, and every connection that was made for them. The least recently
 * called stubs are removed first. Thread safe.
 */
final class Peers {
  private static final int KEPT = 2 * Limits.RANKS;

  private static final Logger LOG = LoggerFactory.getLogger(Peers.class);

  private final LinkedHashMap<Address, Peer> byAddress = new LinkedHashMap<>(16, 0.75f, true);
  private final Set<CallingSocket> open = ConcurrentHashMap.newKeySet();
  private final RmiSettings settings;
  private final Identity identity;
  private volatile boolean closed;

  Peers(RmiSettings settings, Identity identity) {
    this.identity = identity;
    this.settings = settings;
  }

  Peer at(Address address) throws RemoteException {
    Peer known = known(address);
    // Created without the lock, because the first one waits for RMI's classes and must not block
    // others.
    return known == null ? keep(address, new Peer(address, this)) : known;
  }

  private synchronized @Nullable Peer known(Address address) {
    return byAddress.get(address);
  }

  /** Keeps the peer that was created first, for all callers. */
  private synchronized Peer keep(Address address, Peer made) {
    Peer other = byAddress.putIfAbsent(address, made);
    if (byAddress.size() > KEPT) {
      byAddress.pollFirstEntry();
    }
    return other == null ? made : other;
  }

  /**
   * Drops a peer that did not answer: the next call starts with a new one. Calls in progress
   * continue or fail by themselves.
   */
  synchronized void drop(Address address, Peer dead) {
    byAddress.remove(address, dead);
  }

  /** A new socket that {@link #close} closes with the others. */
  CallingSocket socket() throws IOException {
    CallingSocket socket = new CallingSocket(settings, open::remove);
    open.add(socket);
    if (closed) {
      socket.close();
    }
    return socket;
  }

  /** A factory for connections to that worker only; null if they are not encrypted. */
  @Nullable SSLSocketFactory pinned(Address address) throws IOException {
    if (!identity.secure()) {
      return null;
    }
    return identity.calling(address.fingerprint());
  }

  int connectMillis() {
    return settings.connectMillis();
  }

  /** Closes every connection; connections that are made later cannot be used. */
  void close() {
    closed = true;
    for (CallingSocket socket : open) {
      try {
        socket.close();
      } catch (IOException e) {
        LOG.debug("a connection did not close", e);
      }
    }
  }
}
