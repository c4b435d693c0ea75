package io.cloudkon.client.ship;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** An output file of limited size that computes the digest of its content. */
final class DigestingFile extends OutputStream {
  private final OutputStream file;
  private final long limit;
  private final MessageDigest digest;
  private long bytes;

  /** The content exceeds the size limit. */
  static final class FullException extends IOException {
    private static final long serialVersionUID = 1L;
  }

  DigestingFile(Path path, long limit) throws NoRoomException {
    this.limit = limit;
    try {
      digest = MessageDigest.getInstance("SHA-256");
      file = new FileOutputStream(path.toFile());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    } catch (IOException e) {
      throw new NoRoomException(e);
    }
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] from, int offset, int length) throws IOException {
    bytes += length;
    if (bytes > limit) {
      throw new FullException();
    }
    digest.update(from, offset, length);
    try {
      file.write(from, offset, length);
    } catch (IOException e) {
      throw new NoRoomException(e);
    }
  }

  long bytes() {
    return bytes;
  }

  /** The digest of the content, in hex; may be called only once, at the end. */
  String sha256() {
    return HexFormat.of().formatHex(digest.digest());
  }

  @Override
  public void close() throws IOException {
    try {
      file.close();
    } catch (IOException e) {
      throw new NoRoomException(e);
    }
  }
}
