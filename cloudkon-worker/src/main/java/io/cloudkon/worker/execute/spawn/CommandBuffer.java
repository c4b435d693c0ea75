package io.cloudkon.worker.execute.spawn;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.cloudkon.core.model.TaskUsage;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Native memory for watching one command. The pool reuses buffers and creates only as many as
 * commands ever run at the same time. The pool is thread safe, a buffer is not.
 */
final class CommandBuffer {
  private static final int CHUNK = 16 * 1024;

  private static final int POLLS = 4 * 8;
  private static final int SIGINFO = 128;
  private static final int USAGE = 144;
  private static final int ALIGNMENT = 16;
  private static final long MICROS = 1_000_000;
  private static final Queue<CommandBuffer> POOL = new ConcurrentLinkedQueue<>();

  final MemorySegment chunk = Arena.global().allocate(CHUNK, ALIGNMENT);
  final MemorySegment polls = Arena.global().allocate(POLLS, ALIGNMENT);
  final MemorySegment siginfo = Arena.global().allocate(SIGINFO, ALIGNMENT);
  final MemorySegment usage = Arena.global().allocate(USAGE, ALIGNMENT);
  final MemorySegment status = Arena.global().allocate(ALIGNMENT, ALIGNMENT);
  final byte[] bytes = new byte[CHUNK];

  private CommandBuffer() {}

  static CommandBuffer take() {
    CommandBuffer used = POOL.poll();
    return used == null ? new CommandBuffer() : used;
  }

  /** Reads {@link #usage} of a process that has just been reaped, and may overwrite it. */
  TaskUsage readUsage() {
    long user = usage.get(JAVA_LONG, 0) * MICROS + usage.get(JAVA_LONG, 8);
    long system = usage.get(JAVA_LONG, 16) * MICROS + usage.get(JAVA_LONG, 24);
    long peak = InheritedPeak.without(usage);
    return new TaskUsage(0, Math.max(1, user + system), peak);
  }

  void giveBack() {
    POOL.add(this);
  }
}
