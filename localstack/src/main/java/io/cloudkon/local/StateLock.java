package io.cloudkon.local;

import java.nio.channels.FileChannel;

/**
 * A lock in the state folder. The operating system releases it when the process ends, however it
 * ends.
 */
record StateLock(FileChannel channel) implements AutoCloseable {
  @Override
  public void close() {
    Closing.quietly(channel);
  }
}
