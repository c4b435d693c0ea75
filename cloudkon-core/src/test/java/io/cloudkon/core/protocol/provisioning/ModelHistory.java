package io.cloudkon.core.protocol.provisioning;

import java.util.ArrayList;
import java.util.List;

/** What happened in a {@link FleetModel}, by the second. */
final class ModelHistory {
  final List<Integer> live = new ArrayList<>();
  final List<Integer> booting = new ArrayList<>();
  final List<Long> unfinished = new ArrayList<>();
  final List<Long> launches = new ArrayList<>();
  final List<Long> exits = new ArrayList<>();
  final List<String> reasons = new ArrayList<>();
  int launched;

  /** Most instances that existed at once, whatever their workers say. */
  int mostInstances;

  long longestBoot;
  long longestWait;

  void tick(int liveNow, int bootingNow, long unfinishedNow) {
    live.add(liveNow);
    booting.add(bootingNow);
    unfinished.add(unfinishedNow);
  }

  void decided(FleetPlan plan, long second) {
    String reason = second + " s: " + plan.launch() + " of " + plan.fleet();
    reasons.add(reason);
  }

  void launched(long at, int count) {
    launches.add(at);
    launched += count;
  }

  void idleExit(long at) {
    exits.add(at);
  }

  void cameUp(long millis) {
    longestBoot = Math.max(longestBoot, millis);
  }

  /** From a task's arrival to its end. */
  void waited(long millis) {
    longestWait = Math.max(longestWait, millis);
  }

  /** Milliseconds until the first worker came up. */
  long firstUp() {
    for (int second = 0; second < live.size(); second++) {
      if (live.get(second) > 0) {
        return second * FleetModel.TICK;
      }
    }
    throw new IllegalStateException("no worker came up");
  }

  int size(int second) {
    return live.get(second) + booting.get(second);
  }

  /** Most workers that lived or booted at once. */
  int peak() {
    return peak(0, live.size());
  }

  int peak(int from, int to) {
    int peak = 0;
    for (int second = from; second < to; second++) {
      peak = Math.max(peak, size(second));
    }
    return peak;
  }

  /** How often the fleet turned from growing to shrinking, or back. */
  int turns() {
    int turns = 0;
    int direction = 0;
    for (int second = 1; second < live.size(); second++) {
      int step = Integer.signum(size(second) - size(second - 1));
      if (step != 0) {
        turns += direction != 0 && step != direction ? 1 : 0;
        direction = step;
      }
    }
    return turns;
  }

  /** Milliseconds until the last task ended. */
  long drainedAt() {
    for (int second = unfinished.size() - 1; second >= 0; second--) {
      if (unfinished.get(second) > 0) {
        return (second + 1) * FleetModel.TICK;
      }
    }
    return 0;
  }

  /** Worker-seconds that are paid: booting and idling ones too. */
  long cost() {
    long cost = 0;
    for (int second = 0; second < live.size(); second++) {
      cost += size(second);
    }
    return cost;
  }

  /** Launches at most so long after a worker ended itself for being idle. */
  long relaunches(long within) {
    return launches.stream()
        .filter(
            launch -> exits.stream().anyMatch(exit -> exit <= launch && launch - exit <= within))
        .count();
  }
}
