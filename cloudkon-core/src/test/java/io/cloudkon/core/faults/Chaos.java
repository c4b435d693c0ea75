package io.cloudkon.core.faults;

import io.cloudkon.core.memory.faults.Fate;
import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.memory.faults.Operation;
import io.cloudkon.core.memory.faults.QueueHabits;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Everything that can go wrong at once, drawn from one seed. */
final class Chaos implements Consumer<World> {
  private static final int FLEET = 2;
  private static final long UNTIL = 60_000;

  private final SplittableRandom random;

  private Chaos(long seed) {
    random = new SplittableRandom(seed);
  }

  /** What workers suffer. */
  static Consumer<World> of(long seed) {
    return world -> new Chaos(seed ^ 0x5eed).accept(world);
  }

  /** What the cloud does. */
  static Misbehaviour cloud(long seed) {
    SplittableRandom random = new SplittableRandom(seed ^ 0xc10d);
    Misbehaviour cloud =
        switch (random.nextInt(8)) {
          case 0 -> Misbehaviour.none();
          case 1 -> Misbehaviour.everyMessageTwice();
          case 2 -> Misbehaviour.everyMessageReplayed().withLateBy(5);
          case 3, 4 -> claimsStorm();
          default -> Misbehaviour.storm(seed);
        };
    if (random.nextInt(4) == 0) {
      cloud = cloud.withHabits(new QueueHabits(120_000, 5, true));
    }
    if (random.nextInt(4) == 0) {
      Set<Operation> which =
          switch (random.nextInt(3)) {
            case 0 -> Operation.sqs();
            case 1 -> Operation.dynamodb();
            default -> EnumSet.allOf(Operation.class);
          };
      long from = random.nextInt(5_000);
      cloud = cloud.withOutage(Duration.ofMillis(from), Duration.ofMillis(from + 20_000), which);
    }
    return cloud.withSeed(seed);
  }

  /** Claims whose answers are lost and whose writes come late, far more often than not. */
  private static Misbehaviour claimsStorm() {
    return Misbehaviour.none()
        .with(Fate.ANSWER_LOST, 0.25, Operation.CLAIM_ACQUIRE, Operation.CLAIM_WRITE)
        .with(Fate.EFFECT_LATE, 0.25, Operation.CLAIM_ACQUIRE, Operation.CLAIM_WRITE)
        .with(Fate.COPIED, 0.15, Operation.CLAIM_ACQUIRE, Operation.CLAIM_WRITE)
        .with(Fate.THROTTLED, 0.1, Operation.CLAIM_ACQUIRE, Operation.CLAIM_WRITE)
        .withLateBy(6);
  }

  static Settings settings(long seed) {
    int slowest =
        switch (new SplittableRandom(seed).nextInt(6)) {
          case 0 -> 4_000;
          case 1 -> 500;
          default -> 20;
        };
    return Settings.stormy(seed, cloud(seed), UNTIL + UNTIL).withSlowest(slowest);
  }

  @Override
  public void accept(World world) {
    int fleet = 1 + random.nextInt(FLEET + 1);
    boolean quiet = random.nextInt(5) == 0;
    for (int i = 0; i < fleet; i++) {
      join(world, quiet);
    }
    // Somebody who lives on and is not disturbed any more.
    world.agenda.in(UNTIL, () -> world.join(2, CrashPoint.NEVER));
  }

  private void join(World world, boolean quiet) {
    SimWorker worker = world.join(1 + random.nextInt(4), crash(quiet));
    worker.life().onStop(() -> successor(world, quiet));
    if (quiet) {
      return;
    }
    if (random.nextInt(3) == 0) {
      long millis = 1_000 + random.nextInt(40_000);
      boolean withMachine = random.nextBoolean();
      world.agenda.in(random.nextInt(8_000), () -> worker.pause(millis, withMachine));
    }
    if (random.nextInt(4) == 0) {
      long timeout = random.nextInt(6_000);
      world.agenda.in(
          random.nextInt(10_000),
          () -> {
            worker.drain(timeout);
            successor(world, false);
          });
    }
  }

  private CrashPoint crash(boolean quiet) {
    if (quiet || random.nextInt(5) < 2) {
      return CrashPoint.NEVER;
    }
    long pause = random.nextInt(3) == 0 ? 5_000 + random.nextInt(35_000) : 0;
    return new CrashPoint(1 + random.nextInt(60), random.nextBoolean(), pause);
  }

  private void successor(World world, boolean quiet) {
    if (world.agenda.now() < UNTIL) {
      world.agenda.in(random.nextInt(3_000), () -> join(world, quiet));
    }
  }
}
