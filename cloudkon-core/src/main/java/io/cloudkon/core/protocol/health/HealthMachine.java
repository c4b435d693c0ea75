package io.cloudkon.core.protocol.health;

import io.cloudkon.core.protocol.health.HealthPhase.Trigger;
import io.cloudkon.core.time.Moment;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells a worker's own failures from those of its tasks: what failed before a task's first
 * instruction is tried again when nothing of the task is left. If that succeeds, the failure was
 * the task's. Else the worker is sick until it succeeds, and ends if it does not in time. What runs
 * may be what fills a disk or takes all memory: before such a worker ends, it ends that. A worker
 * that a service refuses leaves what runs alone. Pure; used by one thread at a time.
 */
public final class HealthMachine {
  private final HealthSettings settings;
  private HealthPhase phase = HealthPhase.TABLE.start();
  private @Nullable Sickness sickness;
  private long since;
  private long probeAt;
  private int failures;
  private boolean probing;

  public HealthMachine(HealthSettings settings) {
    this.settings = settings;
  }

  public HealthPhase phase() {
    return phase;
  }

  /** What it suffers from; empty while nothing is known to be wrong. */
  public Optional<Sickness> sickness() {
    return Optional.ofNullable(sickness);
  }

  /** A task could not be started, and nothing of it is left. */
  public List<HealthEffect> suspected() {
    if (phase != HealthPhase.WELL) {
      return List.of();
    }
    move(Trigger.SUSPECT);
    probing = true;
    return List.of(new HealthEffect.Probe());
  }

  /**
   * A probe came back.
   *
   * @param left what still fails, first what tasks may bring about; empty if nothing does
   */
  public List<HealthEffect> probed(Optional<Sickness> left, Moment now) {
    probing = false;
    return switch (phase) {
      case SUSPECTED -> left.map(found -> becomeSick(found, now)).orElseGet(this::dismiss);
      case SICK -> left.map(found -> staysSick(found, now)).orElseGet(() -> recover(now));
      case CLEARING -> left.map(this::end).orElseGet(() -> recover(now));
      case WELL, ENDING -> List.of();
    };
  }

  /** Time went by. */
  public List<HealthEffect> tick(Moment now) {
    if (phase != HealthPhase.SICK || probing) {
      return List.of();
    }
    if (now.mono() - since >= settings.timeout()) {
      move(Trigger.TIMED_OUT);
      probing = true;
      Sickness from = known();
      return List.of(from.mayBeOfTasks() ? new HealthEffect.Clear(from) : new HealthEffect.Probe());
    }
    if (now.mono() < probeAt) {
      return List.of();
    }
    probing = true;
    return List.of(new HealthEffect.Probe());
  }

  private List<HealthEffect> dismiss() {
    move(Trigger.PASSED);
    return List.of();
  }

  private List<HealthEffect> becomeSick(Sickness found, Moment now) {
    move(Trigger.FAILED);
    sickness = found;
    since = now.mono();
    failures = 0;
    probeAt = now.mono() + settings.after(0);
    return List.of(new HealthEffect.BecomeSick(found));
  }

  private List<HealthEffect> staysSick(Sickness found, Moment now) {
    move(Trigger.FAILED);
    sickness = found;
    failures++;
    probeAt = now.mono() + settings.after(failures);
    return List.of();
  }

  private List<HealthEffect> recover(Moment now) {
    move(Trigger.PASSED);
    Sickness from = known();
    sickness = null;
    return List.of(new HealthEffect.Recover(from, now.mono() - since));
  }

  private List<HealthEffect> end(Sickness found) {
    move(Trigger.FAILED);
    sickness = found;
    return List.of(new HealthEffect.End(found));
  }

  private Sickness known() {
    return Objects.requireNonNull(sickness, "a sick worker suffers from something");
  }

  private void move(Trigger trigger) {
    phase = HealthPhase.TABLE.next(phase, trigger);
  }
}
