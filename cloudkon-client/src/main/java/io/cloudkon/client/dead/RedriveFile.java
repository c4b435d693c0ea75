package io.cloudkon.client.dead;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.LocalFileException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The workload of a redriven run while it is written. Not thread safe. */
final class RedriveFile implements Closeable {
  private final Path path;
  private final FileChannel channel;

  /**
   * Creates the file.
   *
   * @throws CloudKonException if it exists or cannot be created
   */
  RedriveFile(Path path) {
    this.path = path;
    try {
      Path parent = path.toAbsolutePath().getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      channel = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** The length of the file, in bytes. */
  long length() {
    try {
      return channel.position();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  void append(String line) {
    ByteBuffer bytes = ByteBuffer.wrap((line + '\n').getBytes(StandardCharsets.UTF_8));
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Truncates the file to an earlier length. */
  void cut(long length) {
    try {
      channel.truncate(length).position(length);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Returns when the file would survive a crash, including its name. */
  void sync() {
    try {
      channel.force(true);
      Path parent = path.toAbsolutePath().getParent();
      if (parent != null && path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
        try (FileChannel folder = FileChannel.open(parent, StandardOpenOption.READ)) {
          folder.force(true);
        }
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Removes the file. */
  static void remove(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new LocalFileException("cannot remove %s: %s".formatted(path, e), e);
    }
  }

  private CloudKonException failed(IOException e) {
    return new LocalFileException(
        "cannot write the workload %s: %s; name another place with --out DIR".formatted(path, e),
        e);
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw failed(e);
    }
  }
}
