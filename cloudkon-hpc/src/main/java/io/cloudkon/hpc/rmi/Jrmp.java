package io.cloudkon.hpc.rmi;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HexFormat;

/** The bytes of RMI's wire protocol that both gates look at; those of object streams within it. */
final class Jrmp {
  static final int CALL = 0x50;
  static final int RETURN = 0x51;
  static final int PING = 0x52;
  static final int PING_ACK = 0x53;
  static final int PROTOCOL_ACK = 0x4e;
  static final int NORMAL = 1;
  static final int TC_STRING = 0x74;

  /** Ours, no code of RMI's: the call was refused unread. */
  static final int REFUSED = 0x5f;

  /** Magic, version 2, stream protocol. */
  static final byte[] GREETING = HexFormat.of().parseHex("4a524d4900024b");

  /** Of an object stream: its header, and that a short block of data begins. */
  static final byte[] STREAM = HexFormat.of().parseHex("aced000577");

  /** Object number, operation, hash. */
  static final int CALL_BLOCK = 22 + 4 + 8;

  /** Return code, unique id. */
  static final int RETURN_BLOCK = 1 + 14;

  /** An object number on the wire. */
  static final int OBJECT_BYTES = 22;

  /** An operation: told by its method's hash. */
  static final int BY_HASH = -1;

  private Jrmp() {}

  /** Whether these bytes begin an answer that is an exception. */
  static boolean fails(byte[] bytes, int offset, int length) {
    int code = 1 + STREAM.length + 1;
    return length > code && bytes[offset] == RETURN && bytes[offset + code] != NORMAL;
  }

  /** Something made of data, as bytes. */
  static byte[] bytes(Writing writing) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      writing.to(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Writes. */
  interface Writing {
    void to(DataOutputStream out) throws IOException;
  }
}
