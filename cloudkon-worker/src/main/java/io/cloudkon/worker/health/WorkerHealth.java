package io.cloudkon.worker.health;

import io.cloudkon.core.protocol.health.HealthEffect;
import io.cloudkon.core.protocol.health.HealthMachine;
import io.cloudkon.core.protocol.health.HealthPhase;
import io.cloudkon.core.protocol.health.HealthSettings;
import io.cloudkon.core.protocol.health.Sickness;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.worker.execute.Interruption;
import io.cloudkon.worker.execute.StartProbe;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker's health: makes the probes that its state machine asks for, one at a time, and passes on
 * the effects. Thread safe.
 */
public final class WorkerHealth implements Health {
  private static final Logger LOG = LoggerFactory.getLogger(WorkerHealth.class);

  /** How long a killed task may take until nothing of it is left. */
  private static final long GONE_MILLIS = 10_000;

  private static final String ENDED =
      "its worker is sick and checks whether this task is the cause";

  private final HealthMachine machine;
  private final TimeSource time;
  private final Executor io;
  private final Consumer<HealthEffect> told;
  private final RunningTasks running = new RunningTasks();

  /** Makes threads check one suspicion at a time. */
  private final ReentrantLock suspecting = new ReentrantLock();

  /** The causes of the sickness, by type, with their probes; guarded by the machine. */
  private final Map<Class<?>, Cause> causes = new LinkedHashMap<>();

  private volatile boolean sick;
  private volatile boolean closed;

  private record Cause(Sickness sickness, StartProbe probe) {}

  /**
   * The health of a worker that is well.
   *
   * @param io runs probes, which may block
   * @param told receives {@link HealthEffect.BecomeSick}, {@link HealthEffect.StaySick}, {@link
   *     HealthEffect.Recover} and {@link HealthEffect.End}, before the caller of {@link #isSick}
   *     gets its answer
   */
  public WorkerHealth(
      HealthSettings settings, TimeSource time, Executor io, Consumer<HealthEffect> told) {
    this.machine = new HealthMachine(settings);
    this.time = time;
    this.io = io;
    this.told = told;
  }

  @Override
  public boolean isSick(Sickness suspicion, StartProbe probe) {
    suspecting.lock();
    try {
      if (closed) {
        return true;
      }
      Cause cause = new Cause(suspicion, probe);
      synchronized (machine) {
        if (machine.phase() != HealthPhase.WELL) {
          causes.putIfAbsent(suspicion.getClass(), cause);
          return true;
        }
        var unused = machine.suspected();
      }
      Optional<Sickness> left = attempt(cause);
      if (Thread.currentThread().isInterrupted()) {
        // A probe that was broken off says nothing, and whoever did that has ended the work too.
        carryOut(Optional.empty());
        return true;
      }
      synchronized (machine) {
        left.ifPresent(found -> causes.put(found.getClass(), cause));
      }
      carryOut(left);
      return left.isPresent();
    } finally {
      suspecting.unlock();
    }
  }

  /** Whether nothing may start here. */
  public boolean sick() {
    return sick;
  }

  /** Registers a task that starts and may fill the disk or use up all processes. */
  public RunningTask running(Interruption ofBundle) {
    return running.begin(ofBundle);
  }

  /** Handles the passing of time; returns at once. */
  public void tick() {
    if (!sick) {
      return;
    }
    List<HealthEffect> effects;
    synchronized (machine) {
      effects = machine.tick(time.now());
    }
    for (HealthEffect effect : effects) {
      try {
        io.execute(effect instanceof HealthEffect.Clear ? this::clear : () -> carryOut(probe()));
      } catch (RejectedExecutionException e) {
        LOG.debug("the worker ends: it is not tried again", e);
      }
    }
  }

  /** Stops checking suspicions, because the worker ends. */
  public void close() {
    closed = true;
  }

  private void carryOut(Optional<Sickness> left) {
    synchronized (machine) {
      List<HealthEffect> effects = machine.probed(left, time.now());
      sick = machine.sickness().isPresent();
      if (!sick) {
        causes.clear();
      }
      effects.forEach(told);
    }
  }

  /** The first cause that persists; causes that tasks may bring about are tried before others. */
  private Optional<Sickness> probe() {
    return probe(true).or(() -> probe(false));
  }

  private Optional<Sickness> probe(boolean ofTasks) {
    List<Cause> all;
    synchronized (machine) {
      all = new ArrayList<>(causes.values());
    }
    return all.stream()
        .filter(cause -> cause.sickness().mayBeOfTasks() == ofTasks)
        .map(WorkerHealth::attempt)
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Optional<Sickness> attempt(Cause cause) {
    try {
      cause.probe().attempt();
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of(cause.sickness());
    } catch (Exception | OutOfMemoryError e) {
      LOG.debug("a probe failed", e);
      return Optional.of(cause.sickness());
    } catch (Error e) {
      // Catches every error: a probe without an answer would be the last one.
      LOG.warn("a probe failed unexpectedly", e);
      return Optional.of(cause.sickness());
    }
  }

  /**
   * Kills running tasks, the latest start first, until no probe fails whose cause tasks may bring
   * about.
   */
  private void clear() {
    try {
      boolean cured = probe(true).isEmpty();
      for (RunningTask task : running.newestFirst()) {
        if (cured) {
          break;
        }
        cured = task.end(ENDED, GONE_MILLIS) && probe(true).isEmpty();
        task.decide(cured);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    carryOut(probe());
  }
}
