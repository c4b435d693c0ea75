package io.cloudkon.worker.execute.spawn;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.cloudkon.core.model.TaskUsage;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;

/**
 * A spawned command, which leads a session and a process group of its own. One thread feeds it,
 * reads both its outputs and waits for its end, all by one {@code poll}. Any thread may call {@link
 * #kill}; the process number is not reused before {@link #reap}.
 */
public final class SpawnedChild implements AutoCloseable {
  /** The time after which an interrupt of the waiting thread is noticed. */
  private static final long SLICE_MILLIS = 200;

  /** A writable pipe has room for this many bytes, so that writing them does not block. */
  private static final int FITS = 4096;

  private static final int IN = 0;
  private static final int OUT = 1;
  private static final int ERR = 2;
  private static final int PROCESS = 3;
  private static final int READABLE = 1;
  private static final int WRITABLE = 4;
  private static final int CLOSED = -1;

  private static final int SIGKILL = 9;
  private static final int BY_SIGNAL = 128;
  private static final int CODE_OFFSET = 8;
  private static final int STATUS_OFFSET = 24;
  private static final int EXITED = 1;

  private final int pid;
  private final int[] descriptors;
  private final OutputSink out;
  private final OutputSink err;
  private final byte[] input;
  private final CommandBuffer buffer;
  private final Object life = new Object();
  private int fed;
  private int exitCode;
  private boolean ended;
  private boolean reaped;
  private boolean closed;
  private TaskUsage usage = TaskUsage.NONE;

  /**
   * A child that has just been started.
   *
   * @param descriptors the descriptors of its three pipes and of its process, which this object
   *     closes from now on; -1 where there is none
   * @param buffer its buffer, which this object gives back
   */
  SpawnedChild(
      int pid,
      int[] descriptors,
      CommandBuffer buffer,
      byte[] input,
      OutputSink out,
      OutputSink err) {
    this.pid = pid;
    this.descriptors = descriptors;
    this.buffer = buffer;
    this.input = input;
    this.out = out;
    this.err = err;
  }

  /** The number of its process and of its group. */
  public int pid() {
    return pid;
  }

  /**
   * Whether the process, not all of its group, ended within the time; moves its input and output.
   */
  public synchronized boolean ends(long nanos) throws InterruptedException {
    long start = System.nanoTime();
    while (!ended && turn(start, nanos, true)) {
      // repeated until it has ended or the time is over
    }
    return ended;
  }

  /** Whether all of its output arrived within the time. */
  public synchronized boolean drains(long nanos) throws InterruptedException {
    long start = System.nanoTime();
    while (!drained() && turn(start, nanos, false)) {
      // likewise
    }
    return drained();
  }

  private boolean drained() {
    return descriptors[OUT] == CLOSED && descriptors[ERR] == CLOSED;
  }

  /** Its exit code once it has ended; 128 + signal if a signal killed it. */
  public synchronized int exitCode() {
    if (!ended) {
      throw new IllegalThreadStateException("process " + pid + " has not ended");
    }
    return exitCode;
  }

  /**
   * Its resource usage, with that of the children that it waited for: a CPU time of at least 1 us,
   * and its peak memory if that is clearly above this process's. {@link TaskUsage#NONE} if it has
   * not been reaped.
   */
  public synchronized TaskUsage usage() {
    return usage;
  }

  /** Sends SIGKILL to its whole group, unless it has been reaped. */
  public void kill() {
    synchronized (life) {
      if (!reaped) {
        boolean _ = Libc.kill(-pid, SIGKILL);
      }
    }
  }

  /** Reaps the process once it has ended, which frees its number. A second call does nothing. */
  public synchronized void reap() {
    synchronized (life) {
      if (ended && !reaped) {
        reaped = true;
        if (Libc.reap(pid, buffer.status, buffer.usage) == pid) {
          usage = buffer.readUsage();
        }
      }
    }
  }

  /**
   * Whether a process of its group exists although it was reaped itself. The number may belong to
   * another group by then.
   */
  public boolean hasLeft() {
    return Libc.kill(-pid, 0);
  }

  /** Waits once for the next event; false if the time was over before. */
  private boolean turn(long start, long nanos, boolean forItsEnd) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    long left = nanos - (System.nanoTime() - start);
    long millis = left <= 0 ? 0 : Math.min(SLICE_MILLIS, TimeUnit.NANOSECONDS.toMillis(left) + 1);
    MemorySegment polls = buffer.polls;
    watch(polls, IN, WRITABLE);
    watch(polls, OUT, READABLE);
    watch(polls, ERR, READABLE);
    watch(polls, PROCESS, READABLE);
    if (!forItsEnd) {
      polls.setAtIndex(JAVA_INT, 2 * PROCESS, CLOSED);
    }
    Libc.poll(polls, descriptors.length, (int) millis);
    if (happened(polls, OUT)) {
      read(OUT, out);
    }
    if (happened(polls, ERR)) {
      read(ERR, err);
    }
    if (happened(polls, IN)) {
      write();
    }
    if (happened(polls, PROCESS)) {
      end();
    }
    return left > 0;
  }

  private void watch(MemorySegment polls, int which, int events) {
    polls.setAtIndex(JAVA_INT, 2L * which, descriptors[which]);
    polls.setAtIndex(JAVA_INT, 2L * which + 1, events);
  }

  private static boolean happened(MemorySegment polls, int which) {
    return polls.getAtIndex(JAVA_INT, 2L * which + 1) >>> Short.SIZE != 0;
  }

  private void read(int which, OutputSink sink) {
    int count = Libc.read(descriptors[which], buffer.chunk);
    if (count > 0) {
      MemorySegment.copy(buffer.chunk, JAVA_BYTE, 0, buffer.bytes, 0, count);
      sink.take(buffer.bytes, count);
    } else {
      close(which);
      sink.end();
    }
  }

  private void write() {
    int next = Math.min(FITS, input.length - fed);
    MemorySegment.copy(input, fed, buffer.chunk, JAVA_BYTE, 0, next);
    int count = Libc.write(descriptors[IN], buffer.chunk, next);
    fed += Math.max(0, count);
    if (count < 0 || fed == input.length) {
      close(IN); // a command may leave its input unread
    }
  }

  private void end() {
    MemorySegment siginfo = buffer.siginfo;
    if (Libc.look(pid, siginfo) == 0) {
      int status = siginfo.get(JAVA_INT, STATUS_OFFSET);
      exitCode = siginfo.get(JAVA_INT, CODE_OFFSET) == EXITED ? status : BY_SIGNAL + status;
      ended = true;
      close(PROCESS);
    }
  }

  private void close(int which) {
    if (descriptors[which] != CLOSED) {
      Libc.close(descriptors[which]);
      descriptors[which] = CLOSED;
    }
  }

  /** Closes its pipes. Afterwards only {@link #kill} and the getters may be used. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      for (int which = 0; which < descriptors.length; which++) {
        close(which);
      }
      buffer.giveBack();
    }
  }
}
