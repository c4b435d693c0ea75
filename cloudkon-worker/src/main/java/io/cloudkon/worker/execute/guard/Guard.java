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
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Starts processes that cannot outlive this one. A shell beside the JVM, in a process group of its
 * own, kills their groups as soon as the JVM is gone (end of file) or its heartbeat is late
 * (frozen). If the shell is killed, it is restarted. Thread safe.
 *
 * <p>Known limit: a process that leaves its group (setsid) is found by its environment on Linux,
 * but not on macOS.
 */
public final class Guard implements AutoCloseable {
  private static final String MARK = "CLOUDKON_GUARD";
  private static final String OUTER = System.getenv().getOrDefault(MARK, "");

  private final Duration deadline;
  private final Ticks ticks;
  private final String mark = HexFormat.of().formatHex(random());
  private final AtomicLong numbers = new AtomicLong();
  private final GateLaunch gates;
  private final GuardShells shells;
  private volatile long lastBeat = System.nanoTime() - Long.MAX_VALUE / 2;

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
    this.gates = new GateLaunch(rule);
    this.deadline = deadline;
    this.ticks = Ticks.of(deadline);
    this.shells = new GuardShells(new GuardLaunch(rule, ticks, mark, launch, spawns));
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
    shells.beat(ticks.in(holds));
  }

  /**
   * Registers a private folder of this process, which is removed in the end even if the JVM is
   * killed.
   *
   * @throws IOException if no guard can be started
   */
  public void removeInTheEnd(Path scratch) throws IOException {
    shells.removeInTheEnd(scratch);
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
    GroupLaunch way = shells.ready();
    // a worker may itself be a task: the outer guard's mark stays visible
    String own = OUTER + mark + "." + numbers.incrementAndGet() + ";";
    Map<String, String> marked = Map.of(MARK, own);
    Map<String, String> all = new HashMap<>(environment);
    all.putAll(marked);
    SpawnLaunch spawning = shells.spawning();
    if (spawning != null) {
      GuardedProcess spawned = spawning.prepare(shells, argv, directory, all, marked, own);
      if (spawned != null) {
        return spawned;
      }
    }
    return gates.prepare(shells, way, argv, directory, all, marked, own);
  }

  /**
   * Kills all remaining processes, ends the shell and waits for its end. Nothing can be started
   * afterwards.
   */
  @Override
  public void close() {
    shells.close();
  }

  private static byte[] random() {
    byte[] bytes = new byte[16];
    new SecureRandom().nextBytes(bytes);
    return bytes;
  }
}
