package io.cloudkon.local;

import java.nio.channels.FileChannel;

/**
 * The state folder, held by one command; the system lets it go when the command ends, however it
 * ends.
 */
record StateLock(FileChannel channel) implements AutoCloseable {
  @Override
  public void close() {
    Closing.quietly(channel);
  }
}
