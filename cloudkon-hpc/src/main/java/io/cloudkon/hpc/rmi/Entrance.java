package io.cloudkon.hpc.rmi;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** The one port of an endpoint and the connections that came through it. Thread safe. */
final class Entrance extends ServerSocket {
  private static final int WAITING = 256;
  private static final int CLOSE_MILLIS = 1000;

  private final Set<AcceptedSocket> open = ConcurrentHashMap.newKeySet();
  private final LongAdder accepted = new LongAdder();

  /** Held by a thread that waits in the system: until it is out, the port is not free. */
  private final Semaphore turn = new Semaphore(1);

  private final Gatekeeper keeper;
  private final RmiSettings settings;

  /** Told when the object behind is exported, and its number known: calls wait for it. */
  private final CompletableFuture<byte[]> object = new CompletableFuture<>();

  Entrance(Gatekeeper keeper, RmiSettings settings) throws IOException {
    this.keeper = keeper;
    this.settings = settings;
  }

  Entrance listen(InetSocketAddress address) throws IOException {
    bind(address, WAITING);
    return this;
  }

  /** Every call reaches that object. */
  void leadTo(byte[] number) {
    object.complete(number);
  }

  @Override
  public Socket accept() throws IOException {
    while (true) {
      AcceptedSocket socket =
          new AcceptedSocket(keeper, object, settings.idleMillis(), open::remove);
      turn.acquireUninterruptibly();
      try {
        implAccept(socket);
      } finally {
        turn.release();
      }
      accepted.increment();
      if (open.size() < settings.connections()) {
        open.add(socket);
        if (isClosed()) {
          socket.close();
          throw new SocketException("closed");
        }
        return socket;
      }
      keeper.reject(socket.peer(), "too many connections");
      socket.close();
    }
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

  /** How many connections were made so far. */
  long accepted() {
    return accepted.sum();
  }

  /** How many are open. */
  int open() {
    return open.size();
  }

  /** Lets go of the port and of every connection; the port is free when this returns. */
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
