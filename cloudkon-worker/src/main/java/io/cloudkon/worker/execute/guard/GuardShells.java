package io.cloudkon.worker.execute.guard;

import io.cloudkon.core.process.GroupLaunch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shell of a guard, and the processes that it must know. The shell starts with the first
 * process. If it is killed, it is restarted and told of all running groups. Thread safe.
 */
final class GuardShells implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GuardShells.class);

  private final GuardLaunch launch;
  private final Map<Long, GuardedProcess> live = new ConcurrentHashMap<>();
  private final LeftGroups left = new LeftGroups();

  /** How often the guard has killed everything for a missed beat. */
  private final AtomicInteger kills = new AtomicInteger();

  private volatile @Nullable GuardShell shell;
  private @Nullable Path folder;
  private int generation;
  private boolean closed;

  /** No shell yet. */
  GuardShells(GuardLaunch launch) {
    this.launch = launch;
  }

  /**
   * Tells the shell that everything may run for this number of ticks. Does not wait while a first
   * shell starts.
   */
  void beat(long holds) {
    GuardShell current = shell;
    if (current != null) {
      try {
        current.send("b " + holds);
      } catch (IOException e) {
        ended(current, e);
      }
    }
  }

  /** Lets the shell remove this folder when the process has ended. */
  synchronized void removeInTheEnd(Path scratch) throws IOException {
    folder = scratch;
    var _ = ready();
    tell("d " + scratch);
  }

  /**
   * Starts the shell, unless it runs; returns the way to start process groups.
   *
   * @throws IOException if it cannot be started, or the guard is closed
   */
  synchronized GroupLaunch ready() throws IOException {
    if (closed) {
      throw new IOException("the worker is ending, so no more commands start");
    }
    GroupLaunch way = launch.way();
    if (shell == null) {
      shell = startShell();
    }
    return way;
  }

  /** The way to spawn commands, once a shell is {@link #ready}; null if they are not spawned. */
  @Nullable SpawnLaunch spawning() {
    return launch.spawning();
  }

  synchronized void register(GatedProcess process) throws IOException {
    ready();
    process.knownTo(generation);
    left.isAnew(process.group());
    live.put(process.group(), process);
    tell("a " + process.group());
  }

  /**
   * Expects a command that is about to be spawned; returns how often the guard has killed
   * everything so far.
   */
  synchronized int expect(SpawnedProcess process) {
    process.knownTo(generation);
    return kills.get();
  }

  /**
   * Registers a spawned command, which the guard knows from the register. This process may have
   * been frozen since the spawn, and the guard may have killed the command before it is in here.
   *
   * @param before the kills when it was expected
   */
  void enlist(SpawnedProcess process, int before) {
    live.put(process.pid(), process);
    if (kills.get() != before) {
      process.guardKilled();
    }
  }

  void delist(SpawnedProcess process) {
    live.remove(process.pid(), process);
  }

  /**
   * The descriptor by which the guard notices this process's end. A spawned process holds it only
   * until it becomes the command.
   */
  synchronized int lifeline() throws IOException {
    var _ = ready();
    return shell == null ? -1 : shell.lifeline();
  }

  /** Kills a group, which stays known until {@link #release}. */
  synchronized void kill(GatedProcess process) {
    if (process.equals(live.get(process.group()))) {
      tell("k " + process.group());
    }
  }

  /** Kills all processes that carry a process's mark, if the system shows it. */
  synchronized void sweep(GuardedProcess process) {
    tell("s " + process.mark());
  }

  /** Kills the rest of a group whose leader has ended, and forgets the group. */
  synchronized void release(GatedProcess process) {
    if (live.remove(process.group(), process)) {
      process.released(left.forgotten());
      tell("r " + process.group());
    }
  }

  /** Whether a released group may not have been empty; valid only after the shell has confirmed. */
  boolean hadLeft(GatedProcess process) {
    return left.had(process.group(), process.forgotten());
  }

  /**
   * Whether the shell that a process was registered with still serves. If so, all its answers have
   * been received. If not, it may have killed all groups that it knew when it ended.
   */
  boolean stillServes(GuardedProcess process) {
    GuardShell current;
    synchronized (this) {
      current = process.generation() == generation ? shell : null;
    }
    try {
      if (current != null) {
        current.confirm();
        return true;
      }
    } catch (IOException e) {
      LOG.debug("the guard went away while it was asked", e);
    }
    return false;
  }

  /**
   * Sends a line to the shell. If it is gone, a new shell gets all running groups, then the line.
   */
  private void tell(String line) {
    try {
      if (shell != null) {
        shell.send(line);
      }
    } catch (IOException e) {
      restart(e);
      tellAgain(line);
    }
  }

  private void tellAgain(String line) {
    try {
      if (shell != null) {
        shell.send(line);
      }
    } catch (IOException e) {
      LOG.error("the guard of exec tasks ended twice in a row; '{}' did not reach it", line, e);
    }
  }

  private void restart(IOException why) {
    if (shell != null) {
      shell.abandon();
      shell = null;
    }
    try {
      shell = startShell();
      LOG.warn("the guard of exec tasks ended and has been started again: {}", why.getMessage());
    } catch (IOException e) {
      LOG.error("the guard of exec tasks ended and cannot be started: killing all commands", e);
      live.values().forEach(GuardedProcess::destroy);
    }
  }

  private GuardShell startShell() throws IOException {
    GuardShell fresh = launch.start(this::killed, left::add, this::ended);
    generation++;
    if (folder != null) {
      fresh.send("d " + folder);
    }
    for (GuardedProcess process : live.values()) {
      if (process instanceof GatedProcess gated) {
        fresh.send("a " + gated.group());
      }
    }
    return fresh;
  }

  /**
   * Marks a group as killed by the guard. Group 0 means everything that was started before the
   * guard had swept for a missed beat.
   */
  private void killed(long group) {
    if (group == 0) {
      kills.incrementAndGet();
      live.values().forEach(GuardedProcess::guardKilled);
      return;
    }
    GuardedProcess process = live.get(group);
    if (process != null) {
      process.guardKilled();
    }
  }

  private void ended(GuardShell gone) {
    ended(gone, new IOException("it was killed"));
  }

  private synchronized void ended(GuardShell gone, IOException why) {
    if (shell == gone && !closed) {
      restart(why);
    }
  }

  /** Kills all remaining processes, ends the shell for good, and waits for its end. */
  @Override
  public void close() {
    GuardShell last;
    synchronized (this) {
      closed = true;
      last = shell;
      shell = null;
      launch.close();
    }
    if (last != null) {
      last.close();
    }
  }
}
