package io.cloudkon.simulator.fleet;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.protocol.claim.ClaimEffect.Survive;
import io.cloudkon.simulator.cloud.Reply;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.Request;
import io.cloudkon.simulator.world.World;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The attempts that a simulated worker lost while it was alive, until they are taken back in the
 * claims.
 */
final class SimLostAttempts {
  private final World world;
  private final SimProcess process;
  private final BackOff backOff;
  private final Set<Survive> open = new LinkedHashSet<>();

  SimLostAttempts(World world, SimProcess process, BackOff backOff) {
    this.world = world;
    this.process = process;
    this.backOff = backOff;
  }

  /** Whether all have been taken back. */
  boolean none() {
    return open.isEmpty();
  }

  /** Takes an attempt back, retrying until it succeeds. */
  void takeBack(Request of, Survive lost) {
    open.add(lost);
    tryFor(of, lost, 1);
  }

  private void tryFor(Request of, Survive lost, int tries) {
    if (open.contains(lost)) {
      call(
          of,
          lost,
          done -> {
            if (done == null) {
              process.in(backOff.millis(tries) * 1000, () -> tryFor(of, lost, tries + 1));
            }
          });
    }
  }

  /** Takes back all lost attempts at this bundle; the answer is true when none is left. */
  void takeBackThoseOf(Request of, Reply<Boolean> then) {
    Survive next = open.stream().filter(lost -> lost.id().equals(of.id())).findFirst().orElse(null);
    if (next == null) {
      then.of(true);
      return;
    }
    call(
        of,
        next,
        Reply.orRefused(
            done -> {
              if (done == null) {
                then.of(null);
              } else {
                takeBackThoseOf(of, then);
              }
            },
            then::refused));
  }

  private void call(Request of, Survive lost, Reply<Boolean> done) {
    world
        .cloud()
        .claims()
        .survive(
            process,
            of,
            lost.attempt(),
            Reply.orRefused(
                answer -> {
                  if (answer != null) {
                    open.remove(lost);
                  }
                  done.of(answer == null ? null : true);
                },
                done::refused));
  }
}
