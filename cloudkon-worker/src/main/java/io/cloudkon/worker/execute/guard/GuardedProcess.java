package io.cloudkon.worker.execute.guard;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.core.process.GroupLaunch;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A command in a process group of its own, under a guard. Thread safe. Closing it kills what is
 * left of the group and closes the streams.
 */
public final class GuardedProcess implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GuardedProcess.class);

  private final Guard guard;
  private final int generation;
  private final Process process;
  private final long group;
  private final String mark;
  private final long prepared = System.nanoTime();
  private volatile boolean guardKilled;
  private volatile boolean begun;
  private volatile int forgotten;

  GuardedProcess(Guard guard, int generation, Process process, long group, String mark) {
    this.guard = guard;
    this.generation = generation;
    this.process = process;
    this.group = group;
    this.mark = mark;
  }

  /** The command's standard input, from its first byte. */
  public OutputStream stdin() {
    return process.getOutputStream();
  }

  /** The command's standard output. */
  public InputStream stdout() {
    return process.getInputStream();
  }

  /** The command's standard error. */
  public InputStream stderr() {
    return process.getErrorStream();
  }

  /** Whether the command, not all of its group, ended within the time. */
  public boolean ends(long nanos) throws InterruptedException {
    return process.waitFor(nanos, TimeUnit.NANOSECONDS);
  }

  /** The command's exit code once it has ended; 128 + signal if one killed it. */
  public int exitCode() {
    return process.exitValue();
  }

  /** Whether its first instruction may have run. */
  public boolean begun() {
    return begun;
  }

  /** Sends SIGKILL to the whole group. */
  public void kill() {
    guard.kill(this);
  }

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

  /** Kills what is left of the group after the command's end; nothing happens the second time. */
  public void release() {
    guard.release(this);
  }

  /**
   * Whether nobody is left of what it started, once it was released: nobody had to be killed in its
   * group, and nobody is found who left the group with its mark, or works in its folder. Not found
   * are processes that somebody else started for it, such as a container's. A round trip to the
   * guard, and a look at the processes that were started meanwhile; if these are too many, a look
   * at all, or the answer no.
   *
   * @param folder where it worked
   * @param thorough whether to look at all processes, if need be
   */
  public boolean leftNobody(Path folder, boolean thorough) {
    return guard.stillServes(this)
        && !guard.hadLeft(this)
        && !new Search(mark, folder).finds(process.pid(), System.nanoTime() - prepared, thorough);
  }

  /** By which it is known that no answer about it was thrown away. */
  int forgotten() {
    return forgotten;
  }

  void released(int forgottenSoFar) {
    forgotten = forgottenSoFar;
  }

  @Override
  public void close() {
    release();
    for (Closeable stream : List.of(stdin(), stdout(), stderr())) {
      try {
        stream.close();
      } catch (IOException e) {
        // unread input: the command did not want it
      }
    }
  }

  int generation() {
    return generation;
  }

  long group() {
    return group;
  }

  String mark() {
    return mark;
  }

  /**
   * Opens the gate, once. If it is dead already, its end will tell: the guard may have refused it.
   */
  public void go() {
    if (begun) {
      return;
    }
    begun = true;
    try {
      stdin().write(GroupLaunch.GO.getBytes(UTF_8));
      stdin().flush();
    } catch (IOException e) {
      LOG.debug("process group {} ended before it began", group, e);
    }
  }

  void guardKilled() {
    guardKilled = true;
  }

  /** Without a guard: the processes that Java can find. */
  void destroy() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
