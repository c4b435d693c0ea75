package io.cloudkon.core.protocol.gang;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The gangs that one manager has, and the end of what they run. */
final class ManagedGangs {
  private final Map<String, Gang> gangs = new LinkedHashMap<>();
  private final Consumer<GangEffect> out;

  ManagedGangs(Consumer<GangEffect> out) {
    this.out = out;
  }

  /** In the order in which they were admitted. */
  Collection<Gang> all() {
    return Collections.unmodifiableCollection(gangs.values());
  }

  /** The same, of which some may be removed meanwhile. */
  List<Gang> copy() {
    return List.copyOf(gangs.values());
  }

  int size() {
    return gangs.size();
  }

  /** Null if it is no more. */
  @Nullable Gang find(String id) {
    return gangs.get(id);
  }

  /** On which the job is placed. */
  Optional<Gang> of(Job job) {
    return gangs.values().stream().filter(gang -> gang.isPlacedHere(job)).findFirst();
  }

  void add(Gang gang) {
    gangs.put(gang.id, gang);
  }

  void remove(Gang gang) {
    gangs.remove(gang.id);
  }

  /** Ends what its ranks run, if they are not being ended already. */
  void stop(Gang gang) {
    GangRun run = gang.run();
    if (run == null || !gang.serves()) {
      return;
    }
    gang.stop();
    end(gang, run);
  }

  /** The same as a sub-worker of it is lost; the gang does not stand again. */
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

  /** The job has no gang any more; what of it runs there is ended. */
  void takeFrom(Job job) {
    of(job)
        .ifPresent(gang -> {
          if (job.equals(gang.current())) {
            stop(gang);
          }
          gang.letGo(job);
        });
  }

  /** The job is in these hands no more. */
  void forget(Job job) {
    takeFrom(job);
    gangs.values().forEach(gang -> gang.forget(job));
  }

  @Override
  public String toString() {
    return gangs.values().toString();
  }
}
