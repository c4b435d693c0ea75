package io.cloudkon.client.workload;

import io.cloudkon.core.cli.Printable;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.LocalFileException;
import io.cloudkon.core.process.TemporaryFiles;
import java.io.FileOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A source that can be read only once (standard input or a pipe). The first pass copies it to a
 * private temporary file, which later passes read. The file is removed by {@link #close()}, or when
 * this process ends.
 */
final class SpoolSource implements WorkloadSource {
  private final String name;
  private final InputStream in;
  private final boolean owned;
  private final Path spool;

  /** Reads {@code in}, and closes it at the end if it is owned. */
  SpoolSource(String name, InputStream in, boolean owned) {
    this.name = name;
    this.in = in;
    this.owned = owned;
    try {
      spool = privateTempFile();
    } catch (IOException e) {
      throw noRoom(name, e);
    }
    TemporaryFiles.removeAtEnd(spool);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public WorkloadFormat format() {
    return WorkloadFormat.AUTO;
  }

  @Override
  public InputStream first() throws IOException {
    return new Tee(in, new FileOutputStream(spool.toFile()));
  }

  @Override
  public InputStream again(long offset) throws IOException {
    return FileSource.open(spool, offset);
  }

  /** The temporary file, for tests. */
  Path spool() {
    return spool;
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(spool);
    if (owned) {
      in.close();
    }
  }

  private static Path privateTempFile() throws IOException {
    return Files.createTempFile("cloudkon-workload-", ".spool", OwnerOnly.attributes());
  }

  private static CloudKonException noRoom(String name, IOException e) {
    return new LocalFileException(
        name
            + ": cannot be copied to a temporary file ("
            + Printable.line(String.valueOf(e.getMessage()))
            + "); expected room in the folder that java.io.tmpdir names",
        e);
  }

  /** Copies the bytes before the reader receives them. Closing it leaves the input open. */
  private final class Tee extends FilterInputStream {
    private final OutputStream copy;

    Tee(InputStream in, OutputStream copy) {
      super(in);
      this.copy = copy;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      int count = in.read(bytes, from, length);
      if (count > 0) {
        write(bytes, from, count);
      }
      return count;
    }

    private void write(byte[] bytes, int from, int count) {
      try {
        copy.write(bytes, from, count);
      } catch (IOException e) {
        throw noRoom(name, e);
      }
    }

    @Override
    public void close() throws IOException {
      copy.close();
    }
  }
}
