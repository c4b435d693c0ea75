package io.cloudkon.hpc.rmi;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.UID;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Greets as an endpoint does, and then answers every call with the same bytes. */
final class FakeEndpoint implements AutoCloseable {
  /** In place of an answer: one byte of the greeting now and then, without end. */
  static final byte[] TRICKLE = {1};

  /** In place of an answer: reads nothing more. */
  static final byte[] STUCK = {2};

  private final ServerSocket listening = new ServerSocket(0);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final byte[] answer;

  FakeEndpoint(byte[] answer) throws IOException {
    this.answer = answer;
    Thread.ofVirtual().start(this::serve);
  }

  Address address() {
    return new Address("127.0.0.1", listening.getLocalPort());
  }

  static byte[] answer(int code, @Nullable Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(Jrmp.RETURN);
    try (ObjectOutputStream out = new RawCaller.Marshalling(bytes)) {
      out.writeByte(code);
      new UID().write(out);
      out.writeObject(value);
    }
    return bytes.toByteArray();
  }

  private void serve() {
    try {
      while (true) {
        Socket socket = listening.accept();
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      in.readFully(new byte[7]);
      out.writeByte(0x4e);
      if (Arrays.equals(answer, TRICKLE)) {
        out.writeShort(60);
        while (!closed.await(20, TimeUnit.MILLISECONDS)) {
          out.writeByte('x');
        }
        return;
      }
      out.writeUTF("127.0.0.1");
      out.writeInt(1);
      out.flush();
      in.readUTF();
      in.readInt();
      if (Arrays.equals(answer, STUCK)) {
        closed.await();
        return;
      }
      if (in.read(new byte[64 * 1024]) > 0 && answer.length > 0) {
        out.write(answer);
        out.flush();
        closed.await();
      }
    } catch (IOException | InterruptedException e) {
      // the caller gave up
    }
  }

  @Override
  public void close() throws IOException {
    closed.countDown();
    listening.close();
  }
}
