package io.cloudkon.client.workload;

import io.cloudkon.core.error.CloudKonException;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/** A regular file, which must stay as it is while it is used. */
final class FileSource implements WorkloadSource {
  private final String name;
  private final Path path;
  private final Stamp stamp;

  /** What shows a change without reading the file. */
  private record Stamp(long size, FileTime modified, @Nullable Object key) {
    static Stamp of(BasicFileAttributes a) {
      return new Stamp(a.size(), a.lastModifiedTime(), a.fileKey());
    }
  }

  FileSource(String name, Path path, BasicFileAttributes attributes) {
    this.name = name;
    this.path = path;
    this.stamp = Stamp.of(attributes);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public WorkloadFormat format() {
    return WorkloadFormat.ofName(path.toString());
  }

  @Override
  public InputStream first() throws IOException {
    return new FileInputStream(path.toFile());
  }

  @Override
  public InputStream again(long offset) throws IOException {
    BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
    if (!Stamp.of(now).equals(stamp)) {
      throw changed(name, null);
    }
    return open(path, offset);
  }

  /** A stream from an offset on; unlike a channel's, it survives an interrupt. */
  static InputStream open(Path path, long offset) throws IOException {
    FileInputStream in = new FileInputStream(path.toFile());
    try {
      in.getChannel().position(offset);
      return in;
    } catch (IOException | RuntimeException e) {
      in.close();
      throw e;
    }
  }

  /** What ends a run whose workload is no longer the one that was checked. */
  static CloudKonException changed(String name, @Nullable Throwable cause) {
    return new CloudKonException(
        name
            + ": the workload changed after it was checked; expected it to stay as it is until the"
            + " run ends: start again with a copy that nobody writes to",
        cause);
  }

  @Override
  public void close() {}
}
