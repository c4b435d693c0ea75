package io.cloudkon.hpc.rmi;

import io.cloudkon.hpc.rmi.HpcCallException.Kind;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Arrays;

/**
 * The gate of the calling side. It reads every answer as a whole, checked against an allow-list,
 * before it passes the answer to RMI, which would read any object and has no filter for this side.
 * An exception as an answer is not read at all: it means that the call failed on the other side, or
 * that its content was refused. A call that was refused unread is answered with a code that RMI
 * does not have.
 */
final class AnswerGate extends RmiGate {
  private static final int HOST_BYTES = 256;

  private final DataInputStream in;
  private final AllowList answers;
  private boolean greeted;

  AnswerGate(InputStream in, RmiSettings settings) {
    this.in = new DataInputStream(in);
    this.answers = new AllowList(AllowList.ANSWER, settings);
  }

  @Override
  boolean open() {
    return false;
  }

  @Override
  InputStream raw() {
    return in;
  }

  @Override
  byte[] next() throws IOException {
    int code = in.read();
    if (code < 0) {
      return new byte[0];
    }
    if (!greeted) {
      return greeting(code);
    }
    return switch (code) {
      case Jrmp.PING_ACK -> new byte[] {Jrmp.PING_ACK};
      case Jrmp.RETURN -> answer();
      case Jrmp.REFUSED ->
          throw new NoAnswerException(Kind.REFUSED, "it does not know the gang or the secret");
      default -> throw strange();
    };
  }

  private byte[] greeting(int code) throws IOException {
    int length = code == Jrmp.PROTOCOL_ACK ? in.readUnsignedShort() : Integer.MAX_VALUE;
    if (length > HOST_BYTES) {
      throw strange();
    }
    byte[] hostAndPort = new byte[length + Integer.BYTES];
    in.readFully(hostAndPort);
    greeted = true;
    return Jrmp.bytes(out -> {
      out.writeByte(code);
      out.writeShort(length);
      out.write(hostAndPort);
    });
  }

  private byte[] answer() throws IOException {
    byte[] stream = read(Jrmp.STREAM.length);
    int length = in.readUnsignedByte();
    if (!Arrays.equals(stream, Jrmp.STREAM) || length < Jrmp.RETURN_BLOCK) {
      throw strange();
    }
    byte[] block = read(length);
    if (block[0] != Jrmp.NORMAL) {
      throw new NoAnswerException(Kind.FAILED, "the call failed there, or its content was refused");
    }
    byte[] head =
        Jrmp.bytes(out -> {
          out.write(stream);
          out.writeByte(length);
          out.write(block);
        });
    byte[] value = length > Jrmp.RETURN_BLOCK ? new byte[0] : object(head);
    return Jrmp.bytes(out -> {
      out.writeByte(Jrmp.RETURN);
      out.write(head);
      out.write(value);
    });
  }

  /** Reads the object that follows, and returns its bytes. */
  private byte[] object(byte[] head) throws IOException {
    Recording recording = new Recording(in);
    InputStream all = new SequenceInputStream(new ByteArrayInputStream(head), recording);
    try {
      new AnswerReader(all, answers).skipTo(Jrmp.RETURN_BLOCK).readObject();
    } catch (EOFException e) {
      throw e;
    } catch (ClassNotFoundException | IOException e) {
      throw new NoAnswerException(Kind.UNREACHABLE, "its answer is invalid: " + e.getMessage());
    }
    return recording.bytes();
  }

  private byte[] read(int length) throws IOException {
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return bytes;
  }

  private static NoAnswerException strange() {
    return new NoAnswerException(Kind.UNREACHABLE, "it does not answer as a worker does");
  }

  /** Signals that the received bytes are not a valid answer. */
  static final class NoAnswerException extends IOException {
    private static final long serialVersionUID = 1L;
    private final Kind kind;

    NoAnswerException(Kind kind, String why) {
      super(why);
      this.kind = kind;
    }

    /** The resulting kind of failure of the call. */
    Kind kind() {
      return kind;
    }
  }
}
