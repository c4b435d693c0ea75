package io.cloudkon.client.workload;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** A workload in JSON Lines that is generated as it is read. Not thread safe. */
public abstract class GeneratedLines extends InputStream {
  private static final int BLOCK_BYTES = 8 * 1024;

  private final Block block = new Block();
  private boolean ended;

  /**
   * Writes the next line, without its end.
   *
   * @return false if there is no further line, and nothing was written
   */
  protected abstract boolean next(OutputStream to) throws IOException;

  @Override
  public final int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public final int read(byte[] bytes, int from, int length) throws IOException {
    if (block.left() == 0 && !ended) {
      fill();
    }
    return block.take(bytes, from, length);
  }

  private void fill() throws IOException {
    block.clear();
    while (block.left() < BLOCK_BYTES) {
      if (!next(block)) {
        ended = true;
        return;
      }
      block.write('\n');
    }
  }

  /** Generated lines that have not been read yet. */
  private static final class Block extends ByteArrayOutputStream {
    private int taken;

    int left() {
      return count - taken;
    }

    void clear() {
      reset();
      taken = 0;
    }

    /** Copies bytes; returns -1 if none are left. */
    int take(byte[] bytes, int from, int length) {
      int some = Math.min(left(), length);
      if (some == 0) {
        return length == 0 ? 0 : -1;
      }
      System.arraycopy(buf, taken, bytes, from, some);
      taken += some;
      return some;
    }
  }
}
