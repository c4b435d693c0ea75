package io.cloudkon.simulator.chaos;

import io.cloudkon.core.protocol.completeness.CompletenessSettings;
import io.cloudkon.simulator.Setup;
import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.client.ClientSetup;
import io.cloudkon.simulator.cloud.DeniedActions;
import io.cloudkon.simulator.cloud.Permission;
import io.cloudkon.simulator.fleet.SimWorker;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/**
 * Denies calls of clients, one worker or all workers for a while through policies. Occasionally
 * denies one worker an essential call for good.
 */
final class ChaosRefusals {
  private static final long SECOND = 1_000_000;

  /**
   * The additional time that the simulation may take, in microseconds: bundles are hidden for ten
   * minutes twice.
   */
  private static final long PATIENCE = 3_600 * SECOND;

  private static final long RESEND_MILLIS = 26 * 60_000;
  private static final int MOST = 5;
  private static final int WITHIN_SECONDS = 30;

  /** Longer than the reply timeout, after which results are stored if that is allowed. */
  private static final int LONG_SECONDS = 120;

  /** Short enough that attempts are taken back in time and clients do not lose patience. */
  private static final int SHORT_SECONDS = 50;

  private static final int CLIENTS = 3;
  private static final List<Permission> OF_CLIENTS =
      List.of(
          Permission.RECEIVE_RESULTS,
          Permission.CREATE_RESPONSE_QUEUES,
          Permission.READ_CLAIMS,
          Permission.READ_OBJECTS);
  private static final List<Permission> OF_WORKERS =
      List.of(
          Permission.SEND_RESULTS,
          Permission.WRITE_CLAIMS,
          Permission.SEND_DEAD,
          Permission.SEND_CHILDREN,
          Permission.RECEIVE_BUNDLES,
          Permission.DELETE_BUNDLES,
          Permission.PUT_OBJECTS);

  private final Simulation simulation;
  private final SplittableRandom random;

  ChaosRefusals(Simulation simulation, SplittableRandom random) {
    this.simulation = simulation;
    this.random = random;
  }

  /** A copy with the patience that refusals require. */
  static Setup on(Setup setup) {
    ClientSetup client = setup.client();
    CompletenessSettings known = client.completeness();
    // Results that were stored because their queue was refused have no claim here that refers to
    // them. A client finds them when it is about to send their bundle again.
    boolean unclaimed = !setup.consistency().claims() && known.resend() > RESEND_MILLIS;
    CompletenessSettings patience =
        new CompletenessSettings(
            known.grace(), known.former(), known.silence(), RESEND_MILLIS, known.margin());
    return (unclaimed ? setup.with(client.with(patience)) : setup)
        .withLimitMicros(setup.limitMicros() + PATIENCE);
  }

  void begin() {
    DeniedActions refusals = simulation.world().cloud().refusals();
    simulation
        .world()
        .witness()
        .mayNotTakeBack(worker -> refusals.denied(Permission.WRITE_CLAIMS, worker));
    int times = 1 + random.nextInt(MOST);
    for (int i = 0; i < times; i++) {
      long at = random.nextLong(WITHIN_SECONDS * SECOND);
      SplittableRandom own = random.split();
      simulation.world().timeline().in(at, () -> deny(own));
    }
  }

  private void deny(SplittableRandom own) {
    if (own.nextInt(CLIENTS) == 0) {
      deny(one(OF_CLIENTS, own), own, name -> name.startsWith("c"), "clients", false);
      return;
    }
    Permission permission = one(OF_WORKERS, own);
    List<SimWorker> alive = simulation.workers().stream().filter(w -> !w.left()).toList();
    if (alive.isEmpty() || own.nextInt(3) == 0) {
      deny(permission, own, name -> name.startsWith("w"), "workers", false);
    } else {
      String only = one(alive, own).process().name();
      boolean forGood = permission.needed() && own.nextInt(4) == 0;
      deny(permission, own, only::equals, only, forGood);
    }
  }

  private void deny(
      Permission permission,
      SplittableRandom own,
      Predicate<String> to,
      String name,
      boolean forGood) {
    boolean results = permission == Permission.SEND_RESULTS || permission == Permission.PUT_OBJECTS;
    long micros = (1 + own.nextInt(results ? LONG_SECONDS : SHORT_SECONDS)) * SECOND;
    long until = simulation.world().timeline().now() + micros;
    simulation
        .world()
        .trace()
        .say(
            "policy",
            "denies %s to %s %s",
            permission,
            name,
            forGood ? "for good" : "for %d s".formatted(micros / SECOND));
    simulation.world().cloud().refusals().deny(permission, to, forGood ? Long.MAX_VALUE : until);
  }

  private static <T> T one(List<T> of, SplittableRandom own) {
    return of.get(own.nextInt(of.size()));
  }
}
