package io.cloudkon.worker.execute.guard;

import io.cloudkon.worker.execute.spawn.OutputSink;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Executor;

/**
 * A command in a process group of its own, under a guard. It starts, is waited for and is closed by
 * one thread at a time; everything else is thread safe. Closing it kills what is left of the group.
 */
public abstract sealed class GuardedProcess implements AutoCloseable
    permits GatedProcess, SpawnedProcess {
  static final int SIGKILLED = 128 + 9;

  private final Guard guard;
  private final String mark;
  private final long prepared = System.nanoTime();
  private volatile int generation;
  private volatile boolean guardKilled;

  GuardedProcess(Guard guard, String mark) {
    this.guard = guard;
    this.mark = mark;
  }

  /**
   * Starts the command, once.
   *
   * @param stdin all that it reads; not copied
   * @param out takes its standard output
   * @param err takes its standard error
   * @param pipes where one thread cannot move all three: runs up to three tasks that block
   * @throws IOException if it cannot be started
   */
  public abstract void begin(byte[] stdin, OutputSink out, OutputSink err, Executor pipes)
      throws IOException;

  /** Whether the command, not all of its group, ended within the time. */
  public abstract boolean ends(long nanos) throws InterruptedException;

  /** Whether all of its output came within the time, once it and its group have ended. */
  public abstract boolean drains(long nanos) throws InterruptedException;

  /** The command's exit code once it has ended; 128 + signal if one killed it. */
  public abstract int exitCode();

  /** Whether its first instruction may have run. */
  public abstract boolean begun();

  /**
   * What it used of processors, in microseconds, with those of its children that it waited for; 0
   * where nobody tells. Known once it was released.
   */
  public abstract long cpuMicros();

  /** Sends SIGKILL to the whole group. */
  public abstract void kill();

  /** Kills what is left of the group after the command's end; nothing happens the second time. */
  public abstract void release();

  /** Its process's number. */
  abstract long pid();

  /** Whether somebody of its group may have been there when it was released. */
  abstract boolean hadLeft();

  /** Without a guard: kills the processes that Java can find. */
  abstract void destroy();

  @Override
  public abstract void close();

  /** Kills processes that left the group, on Linux; the work of milliseconds. */
  public void sweep() {
    guard.sweep(this);
  }

  /** The same, and returns once the guard has done it. */
  public void sweepNow() {
    sweep();
    boolean _ = guard.stillServes(this);
  }

  /**
   * Whether a SIGKILL that it died of may be the guard's: because the heartbeat was late, because
   * the guard was itself killed meanwhile, or because it is closed. A round trip to the guard.
   */
  public boolean killedByGuard() {
    return !guard.stillServes(this) || guardKilled;
  }

  /**
   * Whether nobody is left of what it started, once it was released: nobody had to be killed in its
   * group, and nobody is found who left the group with its mark, or works in its folder. Not found
   * are processes that somebody else started for it, such as a container's. A look at the processes
   * that were started meanwhile, and where it was not spawned a round trip to the guard; if these
   * are too many, a look at all, or the answer no.
   *
   * @param folder where it worked
   * @param thorough whether to look at all processes, if need be
   */
  public boolean leftNobody(Path folder, boolean thorough) {
    return !hadLeft()
        && !new Search(mark, folder).finds(pid(), System.nanoTime() - prepared, thorough);
  }

  Guard guard() {
    return guard;
  }

  String mark() {
    return mark;
  }

  /** Which life of the guard knows it. */
  int generation() {
    return generation;
  }

  void knownTo(int life) {
    generation = life;
  }

  void guardKilled() {
    guardKilled = true;
  }
}
