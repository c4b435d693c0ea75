package io.cloudkon.client.spool;

import io.cloudkon.client.report.AppendFile;
import io.cloudkon.client.report.KeptFile;
import io.cloudkon.client.report.KeptWorkload;
import io.cloudkon.client.workload.WorkloadFormat;
import io.cloudkon.client.workload.WorkloadSource;
import io.cloudkon.core.error.CloudKonException;
import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A file of task lines that grows while its run goes on: the workload of a run whose tasks come one
 * by one. What is appended is read only after it was synced: its reader syncs when it has read all
 * that is on disk, once for all that was appended meanwhile, and hands it out. So nothing is sent
 * that a crash could take away, a lonely task waits for one sync, and many share one. Thread safe;
 * there is one reader.
 */
public final class TaskSpool implements WorkloadSource {
  private final boolean lasting;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private @Nullable Path path;
  private @Nullable AppendFile file;
  private long written;
  private long tasks;
  private boolean ended;
  private boolean abandoned;

  private @Nullable CloudKonException failure;

  private TaskSpool(boolean lasting) {
    this.lasting = lasting;
  }

  /** A spool that is kept in its run's folder, which makes {@link #keptFile}. */
  public static TaskSpool kept() {
    return new TaskSpool(true);
  }

  /**
   * A spool of a run without a folder, which nobody can resume: removed when it is closed, and
   * never synced.
   *
   * @throws CloudKonException if there is no room for it
   */
  public static TaskSpool temporary() {
    TaskSpool spool = new TaskSpool(false);
    try {
      Path temp = Files.createTempFile("cloudkon-tasks-", ".jsonl");
      temp.toFile().deleteOnExit();
      spool.create(temp);
      return spool;
    } catch (IOException e) {
      throw new CloudKonException(
          "tasks cannot be kept in a temporary file (%s); expected room in the folder that java.io.tmpdir names"
              .formatted(e.getMessage()),
          e);
    }
  }

  /** The file as a run's folder keeps it. */
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

  /** Is told the place of lines before anybody can read them. */
  @FunctionalInterface
  public interface Placed {
    /**
     * A line is about to be there. Called under the spool's lock: returns at once.
     *
     * @param line its place among those that are appended together, from 0
     * @param ordinal the task's ordinal
     * @param offset where the line begins in the file
     */
    void at(int line, int ordinal, long offset);
  }

  /**
   * Appends lines, each a task's, without their line ends, as one write.
   *
   * @throws CloudKonException if the run takes no more tasks, or the file cannot be written
   */
  public void append(List<byte[]> lines, Placed placed) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (byte[] line : lines) {
      bytes.writeBytes(line);
      bytes.write('\n');
    }
    lock.lock();
    try {
      AppendFile to = file;
      if (to == null || ended || abandoned) {
        throw new CloudKonException("the run takes no more tasks: it is over, or was closed");
      }
      long offset = written;
      for (int i = 0; i < lines.size(); i++) {
        placed.at(i, (int) (tasks + i), offset);
        offset += lines.get(i).length + 1L;
      }
      write(to, bytes.toByteArray());
      written = offset;
      tasks += lines.size();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** What cannot be written is not there in part either, and ends the reader with the reason. */
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

  /** Lines may be missing: nothing more is taken, and the reader fails instead of ending. */
  public void fail(CloudKonException why) {
    lock.lock();
    try {
      failure = why;
      abandoned = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** No more lines will come: the reader ends behind what is there. */
  public void end() {
    lock.lock();
    try {
      ended = true;
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

  /** What is on disk, and then what comes; for one reader, whose end is the spool's. */
  @Override
  public InputStream first() {
    return new SpoolInput(this);
  }

  @Override
  public InputStream again(long offset) throws IOException {
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
      AppendFile open = file;
      Path at = path;
      file = null;
      if (open != null) {
        open.close();
      }
      if (!lasting && at != null) {
        Files.deleteIfExists(at);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until there is more than what is synced, and syncs it; what is appended while the disk
   * works shares the next sync.
   *
   * @param synced how many bytes are known to be on disk
   * @return how many are now; as many as before at the end
   * @throws CloudKonException if a line could not be written or synced
   * @throws InterruptedIOException if the thread was interrupted as it waited
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
          throw new CloudKonException(String.valueOf(why.getMessage()), why);
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
    if (lasting) {
      to.sync();
    }
    return reached;
  }

  /** Nobody reads what comes from now on: it is refused. */
  void abandon() {
    lock.lock();
    try {
      abandoned = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
