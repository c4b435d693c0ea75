package io.cloudkon.core.protocol.gang;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The gangs of a manager; also stops what they run. */
final class ManagedGangs {
  private final Map<String, Gang> gangs = new LinkedHashMap<>();
  private final Consumer<GangEffect> out;

  ManagedGangs(Consumer<GangEffect> out) {
    this.out = out;
  }

  /** All gangs in the order of their admission. */
  Collection<Gang> all() {
    return Collections.unmodifiableCollection(gangs.values());
  }

  /** A copy of all gangs, during whose iteration gangs may be removed. */
  List<Gang> copy() {
    return List.copyOf(gangs.values());
  }

  int size() {
    return gangs.size();
  }

  /** The gang with this id; null if it no longer exists. */
  @Nullable Gang find(String id) {
    return gangs.get(id);
  }

  /** The gang on which the job is placed. */
  Optional<Gang> of(Job job) {
    return gangs.values().stream().filter(gang -> gang.isPlacedHere(job)).findFirst();
  }

  void add(Gang gang) {
    gangs.put(gang.id, gang);
  }

  void remove(Gang gang) {
    gangs.remove(gang.id);
  }

  /** Stops its ranks, if they are not being stopped already. */
  void stop(Gang gang) {
    GangRun run = gang.run();
    if (run == null || !gang.serves()) {
      return;
    }
    gang.stop();
    end(gang, run);
  }

  /** Stops its ranks because a sub-worker is lost; the gang takes no other job. */
  void breakUp(Gang gang, GangRun run) {
    gang.breakUp(run);
    end(gang, run);
  }

  private void end(Gang gang, GangRun run) {
    Job job = gang.current();
    if (job != null) {
      job.stop();
    }
    out.accept(new GangEffect.KillRanks(gang.id, run.job(), run.attempt(), gang.workers()));
  }

  /** Takes the job from its gang and stops its ranks there. */
  void takeFrom(Job job) {
    of(job)
        .ifPresent(gang -> {
          if (job.equals(gang.current())) {
            stop(gang);
          }
          gang.letGo(job);
        });
  }

  /** Forgets a job that this manager no longer holds. */
  void forget(Job job) {
    takeFrom(job);
    gangs.values().forEach(gang -> gang.forget(job));
  }

  @Override
  public String toString() {
    return gangs.values().toString();
  }
}
