package io.cloudkon.worker.execute;

import io.cloudkon.core.model.Spooled;
import io.cloudkon.worker.execute.spawn.OutputSink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the head of a command's output and counts all its bytes. It keeps the head and not the
 * tail, so that the kept bytes are the same wherever the limit cuts. Beyond 64 KiB, they lie on
 * disk; if a write to the disk fails, the output is cut there.
 */
final class Capture implements OutputSink, AutoCloseable {
  /** The maximum number of bytes of an output that are held in memory. */
  static final int IN_MEMORY = 64 * 1024;

  private static final Logger LOG = LoggerFactory.getLogger(Capture.class);

  private final int limit;
  private final Disk disk;
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream(0);
  private @Nullable SpoolFile file;
  private @Nullable Spooled spooled;
  private boolean full;
  private long total;

  /** Provides the folder for large outputs. */
  interface Disk {
    Path folder() throws IOException;
  }

  Capture(int limit, Disk disk) {
    this.limit = limit;
    this.disk = disk;
  }

  /** The bytes that are kept in memory; empty if they lie on disk. Later output is only counted. */
  synchronized byte[] head() {
    return spooled() == null ? kept.toByteArray() : new byte[0];
  }

  /** The bytes that are kept on disk; null if they are in memory. */
  synchronized @Nullable Spooled spooled() {
    SpoolFile written = file;
    full = true;
    if (written != null) {
      file = null;
      try {
        spooled = written.complete();
      } catch (IOException e) {
        LOG.warn("a large output cannot be read back from disk and is cut: {}", e.toString());
      }
    }
    return spooled;
  }

  synchronized long total() {
    return total;
  }

  @Override
  public void end() {
    // nothing to do: the output is what was taken so far
  }

  @Override
  public synchronized void take(byte[] chunk, int n) {
    total += n;
    if (full) {
      return;
    }
    SpoolFile written = file;
    int before = written == null ? kept.size() : written.length();
    int wanted = Math.min(n, limit - before);
    try {
      if (written == null && before + wanted > IN_MEMORY) {
        written = new SpoolFile(disk.folder());
        file = written;
        written.write(kept.toByteArray(), before);
      }
      if (written == null) {
        kept.write(chunk, 0, wanted);
      } else {
        written.write(chunk, wanted);
      }
    } catch (IOException e) {
      full = true;
      LOG.warn("a large output is cut because there is no space for it on disk: {}", e.toString());
      if (written != null && written.length() < kept.size()) {
        close();
      }
    }
  }

  /** Frees the disk space, unless {@link #spooled} has handed it out. */
  @Override
  public synchronized void close() {
    full = true;
    SpoolFile written = file;
    file = null;
    if (written != null) {
      try {
        written.close();
      } catch (IOException e) {
        LOG.debug("a file without a name cannot be closed", e);
      }
    }
  }
}
