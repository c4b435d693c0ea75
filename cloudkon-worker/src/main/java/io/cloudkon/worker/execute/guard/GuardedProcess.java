package io.cloudkon.worker.execute.guard;

import io.cloudkon.core.model.TaskUsage;
import io.cloudkon.worker.execute.spawn.OutputSink;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Executor;

/**
 * A command in a process group of its own, under a guard. One thread at a time may start it, wait
 * for it and close it; everything else is thread safe. Closing it kills the rest of the group.
 */
public abstract sealed class GuardedProcess implements AutoCloseable
    permits GatedProcess, SpawnedProcess {
  static final int SIGKILLED = 128 + 9;

  private final GuardShells shells;
  private final String mark;
  private final long prepared = System.nanoTime();
  private volatile int generation;
  private volatile boolean guardKilled;

  GuardedProcess(GuardShells shells, String mark) {
    this.shells = shells;
    this.mark = mark;
  }

  /**
   * Starts the command, once.
   *
   * @param stdin its whole standard input; not copied
   * @param out receives its standard output
   * @param err receives its standard error
   * @param pipes runs up to three blocking tasks, if one thread cannot move all three streams
   * @throws IOException if it cannot be started
   */
  public abstract void begin(byte[] stdin, OutputSink out, OutputSink err, Executor pipes)
      throws IOException;

  /** Whether the command, not all of its group, ended within the time. */
  public abstract boolean ends(long nanos) throws InterruptedException;

  /** Whether all of its output arrived within the time, once it and its group have ended. */
  public abstract boolean drains(long nanos) throws InterruptedException;

  /** The command's exit code once it has ended; 128 + signal if a signal killed it. */
  public abstract int exitCode();

  /** Whether its first instruction may have run. */
  public abstract boolean begun();

  /**
   * Its resource usage, with that of the children that it waited for. Available once it was
   * released.
   */
  public abstract TaskUsage usage();

  /** Sends SIGKILL to the whole group. */
  public abstract void kill();

  /** Kills the rest of the group after the command's end. A second call does nothing. */
  public abstract void release();

  /** The number of its process. */
  abstract long pid();

  /** Whether processes of its group may have existed when it was released. */
  abstract boolean hadLeft();

  /** Kills the processes that Java can find, without a guard. */
  abstract void destroy();

  @Override
  public abstract void close();

  /** Kills processes that left the group, on Linux. This takes milliseconds. */
  public void sweep() {
    shells.sweep(this);
  }

  /** Kills processes that left the group, and returns once the guard has done it. */
  public void sweepNow() {
    sweep();
    boolean _ = shells.stillServes(this);
  }

  /**
   * Whether the SIGKILL that ended it may come from the guard: because the heartbeat was late,
   * because the guard was itself killed meanwhile, or because the guard is closed. Takes a round
   * trip to the guard.
   */
  public boolean killedByGuard() {
    return !shells.stillServes(this) || guardKilled;
  }

  /**
   * Whether it left no process behind, once it was released: no process of its group had to be
   * killed, and none is found that carries its mark outside the group or works in its folder.
   * Processes that another program started for it, such as a container's, are not found. Checks the
   * processes that were started meanwhile; if these are too many, checks all processes or returns
   * false. If it was not spawned, this also takes a round trip to the guard.
   *
   * @param folder the folder in which it worked
   * @param thorough whether to check all processes if necessary
   */
  public boolean leftNobody(Path folder, boolean thorough) {
    return !hadLeft()
        && !new Search(mark, folder).finds(pid(), System.nanoTime() - prepared, thorough);
  }

  GuardShells shells() {
    return shells;
  }

  String mark() {
    return mark;
  }

  /** The generation of the guard's shell that knows it. */
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
