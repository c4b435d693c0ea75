package io.cloudkon.client.spool;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the part of a spool that is on disk, and waits for more. Ends when the spool ends; closing
 * it makes the spool refuse further lines. Used by one thread at a time.
 */
final class SpoolInput extends InputStream {
  private final TaskSpool spool;
  private @Nullable InputStream in;
  private long read;
  private long synced;

  SpoolInput(TaskSpool spool) {
    this.spool = spool;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (read == synced) {
      synced = spool.awaitMore(synced);
      if (read == synced) {
        return -1;
      }
    }
    InputStream open = in;
    if (open == null) {
      open = spool.again(read);
      in = open;
    }
    int count = open.read(bytes, from, (int) Math.min(length, synced - read));
    read += Math.max(0, count);
    return count;
  }

  @Override
  public int available() {
    return (int) Math.min(Integer.MAX_VALUE, synced - read);
  }

  @Override
  public void close() throws IOException {
    spool.abandon();
    InputStream open = in;
    if (open != null) {
      open.close();
    }
  }
}
