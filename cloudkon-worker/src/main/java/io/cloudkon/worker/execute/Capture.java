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
 * Takes a command's output, keeps its head and counts all of it. The head and not the tail, so that
 * the kept bytes are the same wherever the limit cuts. Beyond 64 KiB they lie on disk; where that
 * takes no more, the output is cut there.
 */
final class Capture implements OutputSink, AutoCloseable {
  /** How much of an output is held in memory. */
  static final int IN_MEMORY = 64 * 1024;

  private static final Logger LOG = LoggerFactory.getLogger(Capture.class);

  private final int limit;
  private final Disk disk;
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream(0);
  private @Nullable SpoolFile file;
  private @Nullable Spooled spooled;
  private boolean full;
  private long total;

  /** Where large outputs go. */
  interface Disk {
    Path folder() throws IOException;
  }

  Capture(int limit, Disk disk) {
    this.limit = limit;
    this.disk = disk;
  }

  /**
   * What is kept in memory: all, or nothing where all lies on disk. What comes later is counted.
   */
  synchronized byte[] head() {
    return spooled() == null ? kept.toByteArray() : new byte[0];
  }

  /** What is kept on disk; null if it is in memory. */
  synchronized @Nullable Spooled spooled() {
    SpoolFile written = file;
    full = true;
    if (written != null) {
      file = null;
      try {
        spooled = written.complete();
      } catch (IOException e) {
        LOG.warn("a large output cannot be read from disk again, and is cut: {}", e.toString());
      }
    }
    return spooled;
  }

  synchronized long total() {
    return total;
  }

  @Override
  public void end() {
    // what came until then is its output
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
      LOG.warn("a large output is cut, as there is no room for it on disk: {}", e.toString());
      if (written != null && written.length() < kept.size()) {
        close();
      }
    }
  }

  /** Lets go of the disk, unless somebody has what lies there. */
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
