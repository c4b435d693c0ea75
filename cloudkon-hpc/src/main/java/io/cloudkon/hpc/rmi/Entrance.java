package io.cloudkon.hpc.rmi;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** The port of an endpoint and its incoming connections. Thread safe. */
final class Entrance extends ServerSocket implements AcceptedSocket.Owner {
  private static final int WAITING = 256;
  private static final int CLOSE_MILLIS = 1000;

  private final Set<AcceptedSocket> open = ConcurrentHashMap.newKeySet();

  /** The open connections that count as untrusted, each with its peer. */
  private final Map<AcceptedSocket, String> unknown = new ConcurrentHashMap<>();

  private final Strangers strangers;
  private final LongAdder accepted = new LongAdder();

  /** Held by a thread that waits in a system call: until it returns, the port is not free. */
  private final Semaphore turn = new Semaphore(1);

  private final Identity identity;
  private final Gatekeeper keeper;
  private final RmiSettings settings;

  /** Completed when the object is exported and its number is known: calls wait for it. */
  private final CompletableFuture<byte[]> object = new CompletableFuture<>();

  Entrance(Identity identity, Gatekeeper keeper, RmiSettings settings) throws IOException {
    this.identity = identity;
    this.keeper = keeper;
    this.settings = settings;
    this.strangers = new Strangers(settings.strangers());
  }

  Entrance listen(InetSocketAddress address) throws IOException {
    bind(address, WAITING);
    return this;
  }

  /** Directs every call to that object. */
  void leadTo(byte[] number) {
    object.complete(number);
  }

  @Override
  public Socket accept() throws IOException {
    while (true) {
      AcceptedSocket socket = new AcceptedSocket(identity, keeper, object, settings, this);
      turn.acquireUninterruptibly();
      try {
        implAccept(socket);
      } finally {
        turn.release();
      }
      accepted.increment();
      socket.connected();
      if (letIn(socket)) {
        return socket;
      }
      socket.close();
    }
  }

  private boolean letIn(AcceptedSocket socket) throws IOException {
    String peer = socket.peer();
    if (open.size() >= settings.connections()) {
      keeper.reject(peer, "too many connections");
      return false;
    }
    if (!strangers.enter(peer)) {
      keeper.reject(peer, "too many connections without a call");
      return false;
    }
    unknown.put(socket, peer);
    open.add(socket);
    if (isClosed()) {
      socket.close();
      throw new SocketException("closed");
    }
    return true;
  }

  @Override
  public void admitted(AcceptedSocket socket) {
    String peer = unknown.remove(socket);
    if (peer != null) {
      strangers.leave(peer);
    }
  }

  @Override
  public void closed(AcceptedSocket socket) {
    admitted(socket);
    open.remove(socket);
  }

  private void awaitTurn() {
    try {
      if (turn.tryAcquire(CLOSE_MILLIS, TimeUnit.MILLISECONDS)) {
        turn.release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The number of connections that were made so far. */
  long accepted() {
    return accepted.sum();
  }

  /** The number of open connections. */
  int open() {
    return open.size();
  }

  /** Closes the port and every connection; the port is free when this method returns. */
  @Override
  public void close() throws IOException {
    super.close();
    awaitTurn();
    object.completeExceptionally(new SocketException("closed"));
    for (AcceptedSocket socket : open) {
      socket.close();
    }
  }
}
