package io.cloudkon.hpc.rmi;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HexFormat;

/**
 * The constants of RMI's wire protocol that both gates check, including those of its object
 * streams.
 */
final class Jrmp {
  static final int CALL = 0x50;
  static final int RETURN = 0x51;
  static final int PING = 0x52;
  static final int PING_ACK = 0x53;
  static final int PROTOCOL_ACK = 0x4e;
  static final int NORMAL = 1;
  static final int TC_STRING = 0x74;

  /** The call was refused unread. This code is CloudKon's own and not part of RMI. */
  static final int REFUSED = 0x5f;

  /** Magic, version 2, stream protocol. */
  static final byte[] GREETING = HexFormat.of().parseHex("4a524d4900024b");

  /** The header of an object stream, followed by the start of a short data block. */
  static final byte[] STREAM = HexFormat.of().parseHex("aced000577");

  /** The length of a call's data block: object number, operation, hash. */
  static final int CALL_BLOCK = 22 + 4 + 8;

  /** The length of an answer's data block: return code, unique id. */
  static final int RETURN_BLOCK = 1 + 14;

  /** The length of an object number in wire format. */
  static final int OBJECT_BYTES = 22;

  /** The operation of a call that identifies its method by a hash. */
  static final int BY_HASH = -1;

  private Jrmp() {}

  /** Whether these bytes are the beginning of an answer that is an exception. */
  static boolean fails(byte[] bytes, int offset, int length) {
    int code = 1 + STREAM.length + 1;
    return length > code && bytes[offset] == RETURN && bytes[offset + code] != NORMAL;
  }

  /** The bytes that a writer produces. */
  static byte[] bytes(Writing writing) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      writing.to(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Writes data to a stream. */
  interface Writing {
    void to(DataOutputStream out) throws IOException;
  }
}
