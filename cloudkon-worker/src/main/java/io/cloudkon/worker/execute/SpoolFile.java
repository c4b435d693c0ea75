package io.cloudkon.worker.execute;

import io.cloudkon.core.model.Spooled;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file for output that exceeds a small buffer. Its name is deleted as soon as it is open: no task
 * finds it, and nothing of it stays, however the worker ends. Once complete it is mapped, which
 * takes neither heap nor a file descriptor. One thread writes it; the result is thread safe.
 */
final class SpoolFile implements AutoCloseable {
  private final Path folder;
  private final FileChannel file;
  private int length;

  /** Creates an empty file on the disk of this folder. */
  SpoolFile(Path folder) throws IOException {
    this.folder = folder;
    Path path = Files.createTempFile(folder, "spool-", "");
    try {
      this.file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    } finally {
      Files.delete(path);
    }
  }

  /** Appends bytes; if the disk becomes full, as many as fit. */
  void write(byte[] bytes, int count) throws IOException {
    ByteBuffer rest = ByteBuffer.wrap(bytes, 0, count);
    while (rest.hasRemaining()) {
      length += file.write(rest);
    }
  }

  int length() {
    return length;
  }

  /** Returns the written bytes for reading. Nothing can be written afterwards. */
  Spooled complete() throws IOException {
    try (file) {
      Arena arena = Arena.ofShared();
      return new Mapped(
          folder, arena, file.map(FileChannel.MapMode.READ_ONLY, 0, length, arena), length);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  /** The whole content of a file that has no name. */
  private record Mapped(Path folder, Arena arena, MemorySegment segment, int length)
      implements Spooled {
    @Override
    public ByteBuffer bytes() {
      return segment.asByteBuffer();
    }

    @Override
    public void release() {
      synchronized (arena) {
        if (arena.scope().isAlive()) {
          arena.close();
        }
      }
    }
  }
}
