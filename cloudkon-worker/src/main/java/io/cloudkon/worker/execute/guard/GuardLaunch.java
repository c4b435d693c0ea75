package io.cloudkon.worker.execute.guard;

import io.cloudkon.core.process.GroupLaunch;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the shells of one guard. The first of them shows whether commands can be spawned on this
 * machine. Guarded by {@link GuardShells}, unless something else is said.
 */
final class GuardLaunch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GuardLaunch.class);

  private final StartRule rule;
  private final Ticks ticks;
  private final String mark;
  private final boolean spawns;
  private @Nullable GroupLaunch way;
  private @Nullable SpawnLaunch spawn;
  private boolean started;

  /**
   * No shell yet.
   *
   * @param ticks the clock that each shell counts its deadline by
   * @param mark begins the mark of every process of this guard
   * @param way the way to start process groups; null means the machine's own
   * @param spawns whether commands may be spawned, if the machine can
   */
  GuardLaunch(StartRule rule, Ticks ticks, String mark, @Nullable GroupLaunch way, boolean spawns) {
    this.rule = rule;
    this.ticks = ticks;
    this.mark = mark;
    this.way = way;
    this.spawns = spawns;
  }

  /** The way to start process groups. */
  GroupLaunch way() throws IOException {
    GroupLaunch known = way;
    if (known == null) {
      known = GroupLaunch.detect();
      way = known;
    }
    return known;
  }

  /** The way to spawn commands, from the first shell's start on; null if they are not spawned. */
  @Nullable SpawnLaunch spawning() {
    return spawn;
  }

  /** Starts a shell; see {@link GuardShell#start} for what the callers receive. */
  GuardShell start(LongConsumer killed, LongConsumer left, Consumer<GuardShell> ended)
      throws IOException {
    Shells shells =
        register -> GuardShell.start(way(), ticks, mark, rule, register, killed, left, ended);
    GuardShell fresh =
        spawns && !started ? first(shells) : shells.start(spawn == null ? null : spawn.register());
    started = true;
    return fresh;
  }

  private interface Shells {
    /** Starts a shell with this register. */
    GuardShell start(@Nullable GroupRegister register) throws IOException;
  }

  /** Starts the first shell, which shows whether guards on this machine can use a register. */
  private GuardShell first(Shells shells) throws IOException {
    SpawnLaunch able = SpawnLaunch.ofThisMachine(rule);
    if (able == null) {
      return shells.start(null);
    }
    try {
      GuardShell first = shells.start(able.register());
      spawn = able;
      return first;
    } catch (IOException e) {
      able.close();
      if (Thread.currentThread().isInterrupted()) {
        throw e;
      }
      LOG.info("commands start behind a shell each: {}", e.getMessage());
      return shells.start(null);
    }
  }

  /** Gives up the register of spawned commands; no shell is started afterwards. */
  @Override
  public void close() {
    if (spawn != null) {
      spawn.close();
    }
  }
}
