package io.cloudkon.client.workload;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.LocalFileException;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A workload in a regular file, which must not change while it is used. */
final class FileSource implements WorkloadSource {
  private final String name;
  private final Path path;
  private final Stamp stamp;
  private final long length;
  private final boolean checked;

  /** Metadata that reveals a change without reading the file. */
  private record Stamp(long size, FileTime modified, @Nullable Object key) {
    static Stamp of(BasicFileAttributes a) {
      return new Stamp(a.size(), a.lastModifiedTime(), a.fileKey());
    }

    /** Whether the other stamp is of the same file, to which a live run may have added lines. */
    boolean hasGrown(Stamp now) {
      return now.size >= size && Objects.equals(now.key, key);
    }
  }

  FileSource(String name, Path path, BasicFileAttributes attributes) {
    this(name, path, attributes, Long.MAX_VALUE, false);
  }

  private FileSource(
      String name, Path path, BasicFileAttributes attributes, long length, boolean checked) {
    this.name = name;
    this.path = path;
    this.stamp = Stamp.of(attributes);
    this.length = length;
    this.checked = checked;
  }

  /**
   * The complete lines of a spool of checked lines that is no longer written to. A crash may have
   * truncated its last line, and a power failure may have left zeros in the lines that were not
   * synced, none of which was sent.
   *
   * @param sent the number of tasks that were put into bundles; asked only if there are zeros
   */
  static FileSource spool(String name, Path path, BasicFileAttributes attributes, LongSupplier sent)
      throws IOException {
    long length = WholeLines.length(path);
    WholeLines.Text text = WholeLines.beforeNul(path, length);
    // Otherwise the lines that were sent are damaged, and their first reader says so.
    boolean cut = text.bytes() < length && text.lines() >= sent.getAsLong();
    return new FileSource(name, path, attributes, cut ? text.bytes() : length, true);
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
  public boolean checked() {
    return checked;
  }

  @Override
  public InputStream first() throws IOException {
    return bounded(new FileInputStream(path.toFile()), length);
  }

  private static InputStream bounded(InputStream in, long length) {
    return length == Long.MAX_VALUE ? in : new FirstBytes(in, length);
  }

  @Override
  public InputStream again(long offset) throws IOException {
    BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
    if (!(checked ? stamp.hasGrown(Stamp.of(now)) : Stamp.of(now).equals(stamp))) {
      throw changed(name, null);
    }
    return bounded(open(path, offset), Math.max(0, length - offset));
  }

  /** Opens a stream at an offset. Unlike the stream of a channel, it survives an interrupt. */
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

  /** The failure that ends a run whose workload has changed since it was checked. */
  static CloudKonException changed(String name, @Nullable Throwable cause) {
    return new LocalFileException(
        name
            + ": the workload changed after it was checked; expected it to stay as it is until the"
            + " run ends: start again with a copy that does not change",
        cause);
  }

  @Override
  public void close() {}
}
