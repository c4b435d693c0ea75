package io.cloudkon.worker.execute.guard;

import io.cloudkon.core.process.GroupLaunch;
import io.cloudkon.worker.execute.spawn.OutputSink;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
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
 * Starts processes that cannot outlive this one: a shell beside the JVM, in a process group of its
 * own, kills their groups as soon as the JVM is gone (end of file) or its heartbeat is late
 * (frozen). The shell starts with the first process; if somebody kills it, it is started again with
 * all that runs. Thread safe.
 *
 * <p>Known limit: a process that leaves its group (setsid) is found by its environment on Linux,
 * and not found on macOS.
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
  private @Nullable GuardShell shell;
  private @Nullable Path folder;
  private int generation;
  private long lastBeat = System.nanoTime() - Long.MAX_VALUE / 2;
  private boolean closed;

  /**
   * A guard that has started nothing yet.
   *
   * @param deadline how long after the last {@link #beat()} all is killed: counted in ticks (1 s,
   *     or a quarter of a deadline below 4 s), so up to a tick and a half earlier; and on a busy
   *     machine later by what the ticks then lose, some milliseconds each
   */
  public Guard(Duration deadline) {
    this(deadline, StartRule.AS_THE_WORKER);
  }

  /** The same, which starts everything by this rule. */
  public Guard(Duration deadline, StartRule rule) {
    this(deadline, rule, null, LaunchChoice.spawns());
  }

  /** By these ways; the machine's own where the first is null. */
  Guard(Duration deadline, StartRule rule, @Nullable GroupLaunch launch, boolean spawns) {
    this.rule = rule;
    this.gates = new GateLaunch(rule);
    this.spawns = spawns;
    this.deadline = deadline;
    this.ticks = Ticks.of(deadline);
    this.launch = launch;
  }

  /**
   * The worker lives and keeps its leases: all may run for another deadline. May be called as often
   * as one likes: what comes within half a tick of the last one is not sent.
   */
  public synchronized void beat() {
    long now = System.nanoTime();
    if (now - lastBeat >= TimeUnit.MILLISECONDS.toNanos(ticks.millis()) / 2) {
      lastBeat = now;
      beat(deadline);
    }
  }

  /** The same, where the leases hold for this long from now; always sent. */
  public synchronized void beat(Duration holds) {
    if (shell != null && !closed) {
      tell("b " + ticks.in(holds));
    }
  }

  /**
   * A folder of this process alone, to be removed in the end even if the JVM was killed.
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
   * @param environment added to what it inherits
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
   * The same, but it waits for {@link GuardedProcess#begin}, and is known to the guard before its
   * first instruction.
   *
   * @throws IOException likewise
   */
  public GuardedProcess prepare(List<String> argv, Path directory, Map<String, String> environment)
      throws IOException {
    GroupLaunch way = ready();
    // a worker may itself be a task: the outer guard's mark stays visible
    String own = OUTER + mark + "." + numbers.incrementAndGet() + ";";
    Map<String, String> marked = Map.of(MARK, own);
    SpawnLaunch spawning = spawn;
    if (spawning != null) {
      GuardedProcess spawned = spawning.prepare(this, argv, directory, environment, marked, own);
      if (spawned != null) {
        return spawned;
      }
    }
    return gates.prepare(this, way, argv, directory, environment, marked, own);
  }

  /**
   * Kills all that is left, ends the shell and waits for that. Nothing can be started afterwards.
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
      throw new IOException("the worker is ending, no command starts any more");
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

  /** A spawned command, of which the guard knows by itself. */
  synchronized void enlist(SpawnedProcess process) {
    process.knownTo(generation);
    live.put(process.pid(), process);
  }

  void delist(SpawnedProcess process) {
    live.remove(process.pid(), process);
  }

  /**
   * By which the guard notices this process's end; spawned processes hold it until they are others.
   */
  synchronized int lifeline() throws IOException {
    var _ = ready();
    return shell == null ? -1 : shell.lifeline();
  }

  /** Kills a group; it stays known until {@link #release}. */
  synchronized void kill(GatedProcess process) {
    if (process.equals(live.get(process.group()))) {
      tell("k " + process.group());
    }
  }

  /** Kills all that carries a process's mark, where that can be seen. */
  synchronized void sweep(GuardedProcess process) {
    tell("s " + process.mark());
  }

  /** Kills what is left of a group whose leader has ended, and forgets it. */
  synchronized void release(GatedProcess process) {
    if (live.remove(process.group(), process)) {
      process.released(left.forgotten());
      tell("r " + process.group());
    }
  }

  /** Whether a released group may not have been empty; to be asked when the shell has confirmed. */
  boolean hadLeft(GatedProcess process) {
    return left.had(process.group(), process.forgotten());
  }

  /**
   * Whether the shell that a process was registered with still serves; if so, all its answers were
   * heard. If not, it may have killed what it knew when it ended.
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

  /** A line for the shell. If it is gone, the next one learns all that runs, and then the line. */
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

  /** It shows whether this machine's guards can do with a register. */
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

  /** Group 0 is everything that was started before the guard had swept for a missed beat. */
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

  private synchronized void ended(GuardShell gone) {
    if (shell == gone && !closed) {
      restart(new IOException("somebody killed it"));
    }
  }

  private static byte[] random() {
    byte[] bytes = new byte[16];
    new SecureRandom().nextBytes(bytes);
    return bytes;
  }
}
