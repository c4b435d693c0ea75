package io.cloudkon.core.protocol.health;

import io.cloudkon.core.protocol.health.HealthPhase.Trigger;
import io.cloudkon.core.time.Moment;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes failures of the worker from those of its tasks. If something fails before a task's
 * first instruction, it is tested again when nothing of the task is left. If the test succeeds, the
 * task caused the failure; otherwise the worker is sick until a test succeeds, and ends if none
 * succeeds in time. Running tasks may be what fills a disk or uses up all memory, so before such a
 * worker ends, it stops them. A worker that a service refuses does not stop its running tasks.
 * Pure; used by one thread at a time.
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

  /** The current sickness; empty if there is none. */
  public Optional<Sickness> sickness() {
    return Optional.ofNullable(sickness);
  }

  /** Handles a task that could not be started and of which nothing is left. */
  public List<HealthEffect> suspected() {
    if (phase != HealthPhase.WELL) {
      return List.of();
    }
    move(Trigger.SUSPECT);
    probing = true;
    return List.of(new HealthEffect.Probe());
  }

  /**
   * Handles the result of a probe.
   *
   * @param left the remaining problem, with priority for those that tasks may cause; empty if there
   *     is none
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

  /** Handles the passing of time. */
  public List<HealthEffect> tick(Moment now) {
    if (phase != HealthPhase.SICK || probing) {
      return List.of();
    }
    if (now.mono() - since >= settings.timeout()) {
      move(Trigger.TIMED_OUT);
      probing = true;
      return List.of(known().mayBeOfTasks() ? new HealthEffect.Clear() : new HealthEffect.Probe());
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
    boolean same = known().equals(found);
    sickness = found;
    failures++;
    probeAt = now.mono() + settings.after(failures);
    return same ? List.of() : List.of(new HealthEffect.StaySick(found));
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
