package io.cloudkon.examples.demo;

import io.cloudkon.core.error.CloudKonException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Counts the lines of a file that grows. Not thread safe. */
final class ResultCounter {
  private final Path file;
  private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
  private long position;
  private long lines;

  ResultCounter(Path file) {
    this.file = file;
  }

  /** The lines so far; 0 as long as there is no file. */
  long lines() {
    try (SeekableByteChannel in = Files.newByteChannel(file)) {
      in.position(position);
      while (in.read(buffer) > 0) {
        position += buffer.flip().remaining();
        while (buffer.hasRemaining()) {
          lines += buffer.get() == '\n' ? 1 : 0;
        }
        buffer.clear();
      }
    } catch (NoSuchFileException e) {
      return 0;
    } catch (IOException e) {
      throw new CloudKonException("%s cannot be read: %s".formatted(file, e.getMessage()), e);
    }
    return lines;
  }
}
