package io.cloudkon.worker.execute.guard;

import io.cloudkon.core.model.TaskUsage;
import io.cloudkon.worker.execute.spawn.OutputSink;
import io.cloudkon.worker.execute.spawn.SpawnedChild;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A spawned command. Its place in the register is announced before the spawn and gets its group
 * after the spawn. The place is freed after the group was killed, before the group's number is
 * given back. So the guard knows the command at every instruction, and never kills another
 * command's group.
 */
final class SpawnedProcess extends GuardedProcess {
  /** The time that a killed process may take to end. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final SpawnLaunch launch;
  private final GroupRegister register;
  private final int place;
  private final SpawnLaunch.Order order;
  private volatile @Nullable SpawnedChild child;
  private volatile boolean refused;
  private volatile boolean left = true;
  private boolean released;

  SpawnedProcess(
      GuardShells shells, SpawnLaunch launch, String mark, int place, SpawnLaunch.Order order) {
    super(shells, mark);
    this.launch = launch;
    this.register = launch.register();
    this.place = place;
    this.order = order;
  }

  @Override
  public void begin(byte[] stdin, OutputSink out, OutputSink err, Executor pipes)
      throws IOException {
    if (register.isDead()) {
      refused = true;
      guardKilled();
      out.end();
      err.end();
      return;
    }
    int kills = shells().expect(this);
    register.announce(place);
    SpawnedChild started = spawn(stdin, out, err);
    register.enter(place, started.pid());
    child = started;
    shells().enlist(this, kills);
    if (register.isDead()) {
      // the guard may have read the register before this was in it
      guardKilled();
      started.kill();
    }
    launch.rule().settleRunning(started.pid());
  }

  /** Retries once if the guard was restarted meanwhile, because the lifeline has then changed. */
  private SpawnedChild spawn(byte[] stdin, OutputSink out, OutputSink err) throws IOException {
    int lifeline = shells().lifeline();
    try {
      return launch.spawn(order, stdin, lifeline, out, err);
    } catch (IOException e) {
      int next = shells().lifeline();
      if (next == lifeline) {
        throw e;
      }
      return launch.spawn(order, stdin, next, out, err);
    }
  }

  @Override
  public boolean ends(long nanos) throws InterruptedException {
    SpawnedChild started = child;
    return started == null ? refused : started.ends(nanos);
  }

  @Override
  public boolean drains(long nanos) throws InterruptedException {
    SpawnedChild started = child;
    return started == null || started.drains(nanos);
  }

  @Override
  public int exitCode() {
    SpawnedChild started = child;
    return started == null ? SIGKILLED : started.exitCode();
  }

  @Override
  public boolean begun() {
    return child != null || refused;
  }

  @Override
  public TaskUsage usage() {
    SpawnedChild started = child;
    return started == null ? TaskUsage.NONE : started.usage();
  }

  @Override
  public void kill() {
    SpawnedChild started = child;
    if (started != null) {
      started.kill();
    }
  }

  @Override
  public synchronized void release() {
    if (released) {
      return;
    }
    released = true;
    SpawnedChild started = child;
    if (started == null) {
      register.free(place);
      return;
    }
    started.kill();
    boolean ended = ends(started);
    shells().delist(this);
    register.free(place);
    started.reap();
    left = !ended || started.hasLeft();
  }

  private static boolean ends(SpawnedChild killed) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return killed.ends(GRACE_NANOS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  long pid() {
    SpawnedChild started = child;
    return started == null ? 0 : started.pid();
  }

  @Override
  boolean hadLeft() {
    return left;
  }

  @Override
  void destroy() {
    kill();
  }

  @Override
  public void close() {
    release();
    SpawnedChild started = child;
    if (started != null) {
      started.close();
    }
  }
}
