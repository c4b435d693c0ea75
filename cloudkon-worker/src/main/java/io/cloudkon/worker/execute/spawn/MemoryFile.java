package io.cloudkon.worker.execute.spawn;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file in memory that lies in no folder. It exists as long as any process has it open or mapped,
 * and so can survive this process. Thread safe.
 */
public final class MemoryFile implements AutoCloseable {
  private final int descriptor;
  private boolean closed;

  /**
   * Creates an empty file.
   *
   * @param name the name that is shown to those who look at this process, in ASCII
   * @throws IOException if this process may open no more files
   */
  public MemoryFile(String name) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      descriptor = Libc.memoryFile(arena.allocateFrom(name));
    }
    if (descriptor < 0) {
      throw new IOException("the guard has no memory for its register: too many open files?");
    }
  }

  int descriptor() {
    return descriptor;
  }

  /** The path by which other processes of this user open it, as long as it is not closed. */
  public Path path() {
    return Path.of(
        "/proc", Long.toString(ProcessHandle.current().pid()), "fd", Integer.toString(descriptor));
  }

  /**
   * Maps its first bytes, which are zero if they did not exist. They stay usable after it is
   * closed.
   */
  public MemorySegment map(long bytes) throws IOException {
    try (FileChannel file =
        FileChannel.open(path(), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return file.map(FileChannel.MapMode.READ_WRITE, 0, bytes, Arena.ofAuto());
    }
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      Libc.close(descriptor);
    }
  }
}
