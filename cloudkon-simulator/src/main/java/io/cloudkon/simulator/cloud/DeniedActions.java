package io.cloudkon.simulator.cloud;

import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.engine.Timeline;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The actions that policies deny, to which processes, and until when. If there are none, no random
 * number is drawn and nothing changes.
 */
public final class DeniedActions {
  private final Timeline timeline;
  private final List<Refusal> all = new ArrayList<>();
  private final Map<String, Consumer<Permission>> listeners = new HashMap<>();

  private record Refusal(Permission permission, Predicate<String> to, long untilMicros) {}

  DeniedActions(Timeline timeline) {
    this.timeline = timeline;
  }

  /**
   * Denies an action from now on.
   *
   * @param to selects processes by name
   * @param untilMicros when the action is allowed again, on the timeline
   */
  public void deny(Permission permission, Predicate<String> to, long untilMicros) {
    all.add(new Refusal(permission, to, untilMicros));
  }

  /**
   * Sets a listener for denied calls of this process. It is called before the caller gets the
   * answer.
   */
  public void watchedBy(SimProcess process, Consumer<Permission> listener) {
    listeners.put(process.name(), listener);
  }

  /** Whether this permission is denied now to the process of this name. */
  public boolean denied(Permission permission, String process) {
    return all.stream()
        .anyMatch(refusal -> refusal.permission() == permission && stands(refusal, process));
  }

  /** The denied permission of this call; empty if it is allowed. */
  Optional<Permission> of(SimProcess caller, Call call, String queue) {
    return all.stream()
        .filter(refusal -> refusal.permission().covers(call, queue))
        .filter(refusal -> stands(refusal, caller.name()))
        .map(Refusal::permission)
        .findFirst();
  }

  private boolean stands(Refusal refusal, String process) {
    return timeline.now() < refusal.untilMicros() && refusal.to().test(process);
  }

  void tell(SimProcess caller, Permission permission) {
    listeners.getOrDefault(caller.name(), none -> {}).accept(permission);
  }
}
