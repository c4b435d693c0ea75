package io.cloudkon.hpc.rmi;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.rmi.server.ObjID;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Speaks RMI's wire protocol byte by byte, and so may send what no stub sends. */
final class RawCaller implements AutoCloseable {
  /** The endpoint closed the connection. */
  static final int CLOSED = -1;

  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;

  RawCaller(Address address) throws IOException {
    socket = new Socket(address.host(), address.port());
    socket.setSoTimeout(20_000);
    in = new DataInputStream(socket.getInputStream());
    out = new DataOutputStream(socket.getOutputStream());
  }

  static List<Method> methods() {
    return Stream.of(RemoteManager.class, RemoteSubWorker.class)
        .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
        .filter(method -> !method.isSynthetic())
        .sorted((a, b) -> a.getName().compareTo(b.getName()))
        .toList();
  }

  RawCaller greet() throws IOException {
    out.write("JRMI".getBytes(UTF_8));
    out.writeShort(2);
    out.writeByte(0x4b);
    out.flush();
    if (in.readByte() != 0x4e) {
      throw new IOException("no greeting");
    }
    in.readUTF();
    in.readInt();
    out.writeUTF("here");
    out.writeInt(0);
    out.flush();
    return this;
  }

  /** Sends one call, as a stub would but for what its arguments are. */
  void send(Method method, @Nullable Object... arguments) throws Exception {
    sendBytes(call(new ObjID(ObjID.REGISTRY_ID), -1, hash(method), arguments));
  }

  void sendBytes(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }

  /**
   * What came back: 1 for a value, 2 for an exception, {@link Jrmp#REFUSED}, or {@link #CLOSED}.
   */
  int answer() throws IOException {
    int code = in.read();
    if (code != Jrmp.RETURN) {
      return code;
    }
    in.readFully(new byte[6]);
    return in.read();
  }

  /** As {@link #answer}, and reads the whole of it, which is a boolean or void. */
  int value() throws IOException {
    int code = answer();
    in.readFully(new byte[14 + (code == 1 ? 1 : 0)]);
    return code;
  }

  /** Reads until the other side has closed the connection. */
  void awaitEnd() throws IOException {
    try {
      in.readAllBytes();
    } catch (java.net.SocketException e) {
      // closed with bytes unread
    }
  }

  static byte[] call(ObjID object, int operation, long hash, @Nullable Object... arguments)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(Jrmp.CALL);
    try (ObjectOutputStream marshalled = new Marshalling(bytes)) {
      object.write(marshalled);
      marshalled.writeInt(operation);
      marshalled.writeLong(hash);
      for (Object argument : arguments) {
        switch (argument) {
          case Long number -> marshalled.writeLong(number);
          case Boolean flag -> marshalled.writeBoolean(flag);
          case null, default -> marshalled.writeObject(argument);
        }
      }
    }
    return bytes.toByteArray();
  }

  /** As the serialization of RMI calls says. */
  static long hash(Method method) throws Exception {
    String signature =
        method.getName()
            + MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                .toMethodDescriptorString();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new DataOutputStream(bytes).writeUTF(signature);
    byte[] digest = MessageDigest.getInstance("SHA-1").digest(bytes.toByteArray());
    return ByteBuffer.wrap(digest).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  /** Says of each class where to load it from: nowhere; or something worse. */
  static class Marshalling extends ObjectOutputStream {
    Marshalling(ByteArrayOutputStream out) throws IOException {
      super(out);
    }

    @Override
    protected void annotateClass(Class<?> type) throws IOException {
      writeObject(null);
    }

    @Override
    protected void annotateProxyClass(Class<?> type) throws IOException {
      writeObject(null);
    }
  }
}
