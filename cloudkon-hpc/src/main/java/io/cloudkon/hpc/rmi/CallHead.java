package io.cloudkon.hpc.rmi;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.rmi.server.ObjID;
import java.util.Arrays;

/**
 * The beginning of a call, up to its second argument.
 *
 * @param method the hash of the called method
 * @param gang its first argument
 * @param secret its second argument
 */
record CallHead(long method, String gang, String secret) {
  private static final int TOKEN_BYTES = 256;

  /** The well-known object number that every caller uses. */
  private static final byte[] WELL_KNOWN =
      Jrmp.bytes(out -> {
        out.writeLong(ObjID.REGISTRY_ID);
        out.write(new byte[Jrmp.OBJECT_BYTES - Long.BYTES]);
      });

  /**
   * Reads the bytes that follow the code of a call.
   *
   * @throws StrangeCallException if CloudKon's stubs do not begin a call like this
   */
  static CallHead read(InputStream raw) throws IOException {
    DataInputStream in = new DataInputStream(raw);
    expect(in, Jrmp.STREAM);
    expect(in, new byte[] {Jrmp.CALL_BLOCK});
    expect(in, WELL_KNOWN);
    if (in.readInt() != Jrmp.BY_HASH) {
      throw new StrangeCallException();
    }
    return new CallHead(in.readLong(), token(in), token(in));
  }

  private static void expect(DataInputStream in, byte[] expected) throws IOException {
    byte[] found = new byte[expected.length];
    in.readFully(found);
    if (!Arrays.equals(found, expected)) {
      throw new StrangeCallException();
    }
  }

  private static String token(DataInputStream in) throws IOException {
    expect(in, new byte[] {Jrmp.TC_STRING});
    int length = in.readUnsignedShort();
    if (length > TOKEN_BYTES) {
      throw new StrangeCallException();
    }
    return new String(in.readNBytes(length), StandardCharsets.ISO_8859_1);
  }

  /** The bytes of this head, with that object number instead of the well-known one. */
  byte[] forObject(byte[] object) {
    return Jrmp.bytes(out -> {
      out.writeByte(Jrmp.CALL);
      out.write(Jrmp.STREAM);
      out.writeByte(Jrmp.CALL_BLOCK);
      out.write(object);
      out.writeInt(Jrmp.BY_HASH);
      out.writeLong(method);
      for (String token : new String[] {gang, secret}) {
        out.writeByte(Jrmp.TC_STRING);
        out.writeShort(token.length());
        out.write(token.getBytes(StandardCharsets.ISO_8859_1));
      }
    });
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return "call for gang " + gang;
  }

  /** Signals that the bytes are not a call of a CloudKon worker. */
  static final class StrangeCallException extends IOException {
    private static final long serialVersionUID = 1L;

    StrangeCallException() {
      super("not a call of a worker of this cluster");
    }
  }
}
