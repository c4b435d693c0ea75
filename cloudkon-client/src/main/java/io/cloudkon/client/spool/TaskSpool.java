package io.cloudkon.client.spool;

import io.cloudkon.client.report.AppendFile;
import io.cloudkon.client.report.KeptFile;
import io.cloudkon.client.report.KeptWorkload;
import io.cloudkon.client.workload.WorkloadFormat;
import io.cloudkon.client.workload.WorkloadSource;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.LocalFileException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Limits;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A file of task lines that grows during its run: the workload of a run whose tasks come one by
 * one. Lines are read only after they were synced: when the reader has read everything on disk, it
 * syncs everything that was appended meanwhile at once. So nothing is sent that a crash could lose,
 * a single task waits for one sync, and many tasks share one. Thread safe; there is one reader.
 */
public final class TaskSpool implements WorkloadSource {
  /** The file of a run without a folder; otherwise null. */
  private final @Nullable TemporaryFile temporary;

  private final int most;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private @Nullable Path path;
  private @Nullable AppendFile file;
  private long written;
  private long tasks;
  private boolean ended;
  private boolean abandoned;
  private @Nullable CloudKonException failure;

  private TaskSpool(@Nullable TemporaryFile temporary, int most) {
    this.temporary = temporary;
    this.most = most;
    if (temporary != null) {
      path = temporary.path();
      file = temporary.out();
    }
  }

  /** A spool that is kept in its run's folder, which creates {@link #keptFile}. */
  public static TaskSpool kept() {
    return kept(Limits.TASKS_PER_RUN);
  }

  /** Likewise with another maximum number of tasks. */
  static TaskSpool kept(int most) {
    return new TaskSpool(null, most);
  }

  /**
   * A spool of a run without a folder, which cannot be resumed. It is never synced, and nothing of
   * it remains after the process, however that ends. Until it is closed, it keeps every line.
   *
   * @throws CloudKonException if there is no room for it
   */
  public static TaskSpool temporary() {
    try {
      return new TaskSpool(TemporaryFile.create(), Limits.TASKS_PER_RUN);
    } catch (IOException e) {
      throw new LocalFileException(
          "tasks cannot be kept in a temporary file (%s); expected room in the folder that java.io.tmpdir names"
              .formatted(e.getMessage()),
          e);
    }
  }

  /** The file that a run's folder keeps. */
  public KeptFile keptFile() {
    return KeptWorkload.of(this::create);
  }

  private void create(Path at) {
    lock.lock();
    try {
      file = AppendFile.create(at);
      path = at;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Appends lines in one write. Each is a task without its line end.
   *
   * @throws UsageException if the run would have too many tasks, or there is no memory for them
   * @throws CloudKonException if the run takes no more tasks, or the file cannot be written
   */
  public void append(List<byte[]> lines, Placed placed) {
    byte[] bytes = LineBlock.of(lines);
    lock.lock();
    try {
      AppendFile to = file;
      if (to == null || ended || abandoned) {
        throw new CloudKonException("the run accepts no more tasks: it is over or was closed");
      }
      if (tasks + lines.size() > most) {
        throw new UsageException(
            "the run has %,d tasks, of at most %,d; connect another session, or start another client --serve"
                .formatted(tasks, most));
      }
      long offset = written;
      for (int i = 0; i < lines.size(); i++) {
        placed.at(i, (int) (tasks + i), offset);
        offset += lines.get(i).length + 1L;
      }
      write(to, bytes);
      written = offset;
      tasks += lines.size();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Writes lines. A failure removes what was written of them, and ends the reader with the reason.
   */
  private void write(AppendFile to, byte[] lines) {
    try {
      to.write(lines, lines.length);
    } catch (CloudKonException e) {
      fail(e);
      try {
        to.cut(written);
      } catch (CloudKonException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
  }

  /** Marks that lines may be missing: no more are taken, and the reader fails instead of ending. */
  public void fail(CloudKonException why) {
    change(() -> {
      failure = why;
      abandoned = true;
    });
  }

  /** Ends the spool: the reader ends after the last line. */
  public void end() {
    change(() -> ended = true);
  }

  private void change(Runnable what) {
    lock.lock();
    try {
      what.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  // ---- the workload's side

  @Override
  public String name() {
    return String.valueOf(path);
  }

  @Override
  public WorkloadFormat format() {
    return WorkloadFormat.JSONL;
  }

  @Override
  public boolean checked() {
    return true;
  }

  @Override
  public OptionalLong tasksSoFar() {
    lock.lock();
    try {
      return OptionalLong.of(tasks);
    } finally {
      lock.unlock();
    }
  }

  /** A stream of the lines on disk and of those that come, for the only reader. */
  @Override
  public InputStream first() {
    return new SpoolInput(this);
  }

  @Override
  public InputStream again(long offset) throws IOException {
    if (temporary != null) {
      return temporary.from(offset);
    }
    FileInputStream in = new FileInputStream(place().toFile());
    try {
      in.getChannel().position(offset);
      return in;
    } catch (IOException | RuntimeException e) {
      in.close();
      throw e;
    }
  }

  private Path place() {
    lock.lock();
    try {
      Path at = path;
      if (at == null) {
        throw new IllegalStateException("the spool was not created");
      }
      return at;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() throws IOException {
    lock.lock();
    try {
      abandoned = true;
      changed.signalAll();
      Closeable open = temporary != null ? temporary : file;
      file = null;
      if (open != null) {
        open.close();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until there is more than what is synced, and syncs it; lines that are appended during the
   * sync share the next one.
   *
   * @param synced the number of bytes that are known to be on disk
   * @return the number of bytes that are readable now; unchanged at the end
   * @throws CloudKonException if a line could not be written or synced
   * @throws InterruptedIOException if the thread was interrupted while it waited
   */
  long awaitMore(long synced) throws InterruptedIOException {
    AppendFile to;
    long reached;
    try {
      lock.lockInterruptibly();
      try {
        while (written == synced && !ended && !abandoned) {
          changed.await();
        }
        CloudKonException why = failure;
        if (why != null) {
          String message = String.valueOf(why.getMessage());
          throw why instanceof LocalFileException
              ? new LocalFileException(message, why)
              : new CloudKonException(message, why);
        }
        to = file;
        reached = written;
      } finally {
        lock.unlock();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
    if (reached == synced || to == null) {
      return synced;
    }
    if (temporary == null) {
      to.sync();
    }
    return reached;
  }

  /** Refuses further lines, because nobody would read them. */
  void abandon() {
    change(() -> abandoned = true);
  }
}
