package io.cloudkon.hpc.rmi;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RemoteObject;
import java.rmi.server.RemoteObjectInvocationHandler;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * The stub of one endpoint and the factory of its connections. The stub is built from the address
 * alone, without any data from the other side. RMI keeps idle connections for 15 s and pings them
 * before it uses them again. Thread safe.
 */
final class Peer implements RMIClientSocketFactory {
  private final Address address;
  private final Peers peers;
  private @Nullable SSLSocketFactory pinned;
  private final Remotes remotes;

  /** Both remote interfaces of an endpoint. */
  interface Remotes extends RemoteManager, RemoteSubWorker {}

  Peer(Address address, Peers peers) throws RemoteException {
    RmiClasses.ready();
    this.address = address;
    this.peers = peers;
    // a reference to the well-known object number; it makes no connection yet
    Registry known = LocateRegistry.getRegistry(address.host(), address.port(), this);
    RemoteObject reference =
        known instanceof RemoteObject object
            ? object
            : (RemoteObject) Proxy.getInvocationHandler(known);
    this.remotes =
        (Remotes)
            Proxy.newProxyInstance(
                Peer.class.getClassLoader(),
                new Class<?>[] {Remotes.class},
                new RemoteObjectInvocationHandler(reference.getRef()));
  }

  Remotes remotes() {
    return remotes;
  }

  /**
   * One factory for all connections, so that a later connection can resume the TLS session of an
   * earlier one.
   */
  private synchronized @Nullable SSLSocketFactory pinned() throws IOException {
    if (pinned == null) {
      pinned = peers.pinned(address);
    }
    return pinned;
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    CallingSocket socket = peers.socket();
    try {
      SSLSocketFactory factory = pinned();
      socket.connect(new InetSocketAddress(host, port), peers.connectMillis());
      if (factory != null) {
        socket.secure(factory, host, port);
      }
      return socket;
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }
}
