package io.cloudkon.core.aws;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.LocalFileException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.ContentStreamProvider;

/**
 * A file as the body of a request; each attempt reads it from the start. Distinguishes failures of
 * the file, which are permanent, from those of the connection, which are temporary. Not thread
 * safe.
 */
final class FileBody implements ContentStreamProvider, AutoCloseable {
  private final Path file;
  private @Nullable InputStream open;
  private @Nullable IOException failure;

  FileBody(Path file) {
    this.file = file;
  }

  /** Its length now, in bytes. */
  long length() {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  @Override
  public InputStream newStream() {
    close();
    try {
      InputStream stream = new Watched(Files.newInputStream(file));
      open = stream;
      return stream;
    } catch (IOException e) {
      failure = e;
      throw new UncheckedIOException(e);
    }
  }

  /** Throws the failure of the file, if there was one. */
  void check() {
    if (failure != null) {
      throw unreadable(failure);
    }
  }

  private CloudKonException unreadable(IOException e) {
    return new LocalFileException("cannot read '%s': %s".formatted(file, e), e);
  }

  @Override
  public void close() {
    InputStream last = open;
    open = null;
    if (last != null) {
      try {
        last.close();
      } catch (IOException e) {
        failure = e;
      }
    }
  }

  private final class Watched extends FilterInputStream {
    Watched(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      try {
        return super.read();
      } catch (IOException e) {
        failure = e;
        throw e;
      }
    }

    @Override
    public int read(byte[] to, int from, int length) throws IOException {
      try {
        return super.read(to, from, length);
      } catch (IOException e) {
        failure = e;
        throw e;
      }
    }
  }
}
