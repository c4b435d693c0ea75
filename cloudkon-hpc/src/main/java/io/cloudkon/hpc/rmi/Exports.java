package io.cloudkon.hpc.rmi;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.StreamCorruptedException;
import java.lang.reflect.Proxy;
import java.net.ServerSocket;
import java.rmi.Remote;
import java.rmi.server.ObjID;
import java.rmi.server.RMIServerSocketFactory;
import java.rmi.server.RemoteObject;
import java.rmi.server.UnicastRemoteObject;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Exports a door through RMI. */
final class Exports {
  /**
   * The format of a reference's endpoint in which host and port follow, without a socket factory.
   */
  private static final int HOST_AND_PORT = 0;

  private Exports() {}

  /**
   * Exports the door at that entrance only.
   *
   * @return its object number in wire format
   */
  static byte[] export(Door door, Entrance entrance, Gatekeeper keeper, RmiSettings settings)
      throws IOException {
    RmiClasses.ready();
    AllowList calls = new AllowList(AllowList.CALL, settings);
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(calls.loader(keeper::rejectContent));
    try {
      return number(
          UnicastRemoteObject.exportObject(
              door,
              entrance.getLocalPort(),
              null,
              new Once(entrance),
              calls.filter(keeper::rejectContent)));
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /**
   * Reads the number from the documented external form of a reference, because there is no method
   * that returns it.
   */
  private static byte[] number(Remote stub) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      ((RemoteObject) Proxy.getInvocationHandler(stub)).getRef().writeExternal(out);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      if (in.readByte() != HOST_AND_PORT) {
        throw new StreamCorruptedException("an unknown form of an RMI reference");
      }
      in.readUTF();
      in.readInt();
      ObjID id = ObjID.read(in);
      return onWire(id);
    }
  }

  private static byte[] onWire(ObjID id) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      id.write(out);
    }
    byte[] stream = bytes.toByteArray();
    byte[] number = new byte[Jrmp.OBJECT_BYTES];
    System.arraycopy(stream, stream.length - number.length, number, 0, number.length);
    return number;
  }

  /**
   * Returns the entrance once and then keeps no reference to it, because RMI never releases a
   * factory.
   */
  private static final class Once implements RMIServerSocketFactory {
    private final AtomicReference<@Nullable Entrance> entrance;

    Once(Entrance entrance) {
      this.entrance = new AtomicReference<>(entrance);
    }

    @Override
    public ServerSocket createServerSocket(int port) throws IOException {
      Entrance given = entrance.getAndSet(null);
      if (given == null) {
        throw new IOException("an endpoint listens once");
      }
      return given;
    }
  }
}
