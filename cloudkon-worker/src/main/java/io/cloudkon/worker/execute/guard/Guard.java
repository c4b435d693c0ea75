package io.cloudkon.worker.execute.guard;

import io.cloudkon.core.process.GroupLaunch;
import io.cloudkon.worker.execute.spawn.OutputSink;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts processes that cannot outlive this one. A shell beside the JVM, in a process group of its
 * own, kills their groups as soon as the JVM is gone (end of file) or its heartbeat is late
 * (frozen). The shell starts with the first process. If it is killed, it is restarted and told of
 * all running groups. Thread safe.
 *
 * <p>Known limit: a process that leaves its group (setsid) is found by its environment on Linux,
 * but not on macOS.
 */
public final class Guard implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Guard.class);
  private static final String MARK = "CLOUDKON_GUARD";
  private static final String OUTER = System.getenv().getOrDefault(MARK, "");

  private final Duration deadline;
  private final StartRule rule;
  private final Ticks ticks;
  private final String mark = HexFormat.of().formatHex(random());
  private final AtomicLong numbers = new AtomicLong();
  private final Map<Long, GuardedProcess> live = new ConcurrentHashMap<>();
  private final GateLaunch gates;
  private final boolean spawns;

  private final LeftGroups left = new LeftGroups();

  private @Nullable GroupLaunch launch;
  private @Nullable SpawnLaunch spawn;
  private volatile @Nullable GuardShell shell;
  private @Nullable Path folder;
  private int generation;
  private volatile long lastBeat = System.nanoTime() - Long.MAX_VALUE / 2;
  private boolean closed;

  /**
   * A guard that has started nothing yet.
   *
   * @param deadline the time after the last {@link #beat()} at which everything is killed. It is
   *     counted in ticks (1 s, or a quarter of a deadline below 4 s), so the kill may come up to a
   *     tick and a half earlier. On a busy machine it comes later, because each tick then loses
   *     some milliseconds
   * @param rule the rule by which everything starts
   */
  public Guard(Duration deadline, StartRule rule) {
    this(deadline, rule, null, LaunchChoice.spawns());
  }

  /** A guard with these ways to start commands; a null launch means the machine's own. */
  Guard(Duration deadline, StartRule rule, @Nullable GroupLaunch launch, boolean spawns) {
    this.rule = rule;
    this.gates = new GateLaunch(rule);
    this.spawns = spawns;
    this.deadline = deadline;
    this.ticks = Ticks.of(deadline);
    this.launch = launch;
  }

  /**
   * Reports that the worker lives and keeps its leases: everything may run for another deadline.
   * May be called at any rate, as a beat within half a tick of the last one is not sent.
   */
  public void beat() {
    long now = System.nanoTime();
    if (now - lastBeat >= TimeUnit.MILLISECONDS.toNanos(ticks.millis()) / 2) {
      lastBeat = now;
      beat(deadline);
    }
  }

  /**
   * Reports that the leases hold for this long from now; always sent. Does not wait while a first
   * shell starts, as the caller has leases to renew: a shell's own deadline begins at its start.
   */
  public void beat(Duration holds) {
    GuardShell current = shell;
    if (current != null) {
      try {
        current.send("b " + ticks.in(holds));
      } catch (IOException e) {
        ended(current, e);
      }
    }
  }

  /**
   * Registers a private folder of this process, which is removed in the end even if the JVM is
   * killed.
   *
   * @throws IOException if no guard can be started
   */
  public synchronized void removeInTheEnd(Path scratch) throws IOException {
    folder = scratch;
    ready();
    tell("d " + scratch);
  }

  /**
   * Starts a command by the rule, without input; its output is dropped.
   *
   * @param environment variables that are added to the inherited ones
   * @throws IOException if it cannot be started, or no guard can
   */
  public GuardedProcess start(
      List<String> argv, Path directory, Map<String, String> environment, Executor pipes)
      throws IOException {
    GuardedProcess process = prepare(argv, directory, environment);
    boolean done = false;
    try {
      process.begin(new byte[0], OutputSink.NONE, OutputSink.NONE, pipes);
      done = true;
    } finally {
      if (!done) {
        process.close();
      }
    }
    return process;
  }

  /**
   * Prepares a command by the rule. It waits for {@link GuardedProcess#begin}, and the guard knows
   * it before its first instruction.
   *
   * @throws IOException if it cannot be prepared, or no guard can be started
   */
  public GuardedProcess prepare(List<String> argv, Path directory, Map<String, String> environment)
      throws IOException {
    GroupLaunch way = ready();
    // a worker may itself be a task: the outer guard's mark stays visible
    String own = OUTER + mark + "." + numbers.incrementAndGet() + ";";
    Map<String, String> marked = Map.of(MARK, own);
    Map<String, String> all = new HashMap<>(environment);
    all.putAll(marked);
    SpawnLaunch spawning = spawn;
    if (spawning != null) {
      GuardedProcess spawned = spawning.prepare(this, argv, directory, all, marked, own);
      if (spawned != null) {
        return spawned;
      }
    }
    return gates.prepare(this, way, argv, directory, all, marked, own);
  }

  /**
   * Kills all remaining processes, ends the shell and waits for its end. Nothing can be started
   * afterwards.
   */
  @Override
  public void close() {
    GuardShell last;
    synchronized (this) {
      closed = true;
      last = shell;
      shell = null;
      if (spawn != null) {
        spawn.close();
      }
    }
    if (last != null) {
      last.close();
    }
  }

  private synchronized GroupLaunch ready() throws IOException {
    if (closed) {
      throw new IOException("the worker is ending, so no more commands start");
    }
    GroupLaunch way = launch;
    if (way == null) {
      way = GroupLaunch.detect();
      launch = way;
    }
    if (shell == null) {
      shell = startShell(way);
    }
    return way;
  }

  synchronized void register(GatedProcess process) throws IOException {
    ready();
    process.knownTo(generation);
    left.isAnew(process.group());
    live.put(process.group(), process);
    tell("a " + process.group());
  }

  /** Registers a spawned command, which the guard knows from the register. */
  synchronized void enlist(SpawnedProcess process) {
    process.knownTo(generation);
    live.put(process.pid(), process);
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
      shell = startShell(launch == null ? GroupLaunch.detect() : launch);
      LOG.warn("the guard of exec tasks ended and has been started again: {}", why.getMessage());
    } catch (IOException e) {
      LOG.error("the guard of exec tasks ended and cannot be started: killing all commands", e);
      live.values().forEach(GuardedProcess::destroy);
    }
  }

  private GuardShell startShell(GroupLaunch way) throws IOException {
    GuardShell fresh =
        spawns && generation == 0
            ? firstShell(way)
            : startShell(way, spawn == null ? null : spawn.register());
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

  /** Starts the first shell, which shows whether guards on this machine can use a register. */
  private GuardShell firstShell(GroupLaunch way) throws IOException {
    SpawnLaunch able = SpawnLaunch.ofThisMachine(rule);
    if (able == null) {
      return startShell(way, null);
    }
    try {
      GuardShell first = startShell(way, able.register());
      spawn = able;
      return first;
    } catch (IOException e) {
      able.close();
      if (Thread.currentThread().isInterrupted()) {
        throw e;
      }
      LOG.info("commands start behind a shell each: {}", e.getMessage());
      return startShell(way, null);
    }
  }

  private GuardShell startShell(GroupLaunch way, @Nullable GroupRegister register)
      throws IOException {
    return GuardShell.start(way, ticks, mark, rule, register, this::killed, left::add, this::ended);
  }

  /**
   * Marks a group as killed by the guard. Group 0 means everything that was started before the
   * guard had swept for a missed beat.
   */
  private void killed(long group) {
    if (group == 0) {
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

  private static byte[] random() {
    byte[] bytes = new byte[16];
    new SecureRandom().nextBytes(bytes);
    return bytes;
  }
}
