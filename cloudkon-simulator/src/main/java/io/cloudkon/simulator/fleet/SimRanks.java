package io.cloudkon.simulator.fleet;

import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.core.protocol.gang.SubWorkerEvent;
import io.cloudkon.simulator.cloud.RankBarrier;
import io.cloudkon.simulator.cloud.StartOrder;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.Tasks;
import io.cloudkon.simulator.world.World;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** The ranks that run on one worker. */
final class SimRanks {
  private final World world;
  private final SimProcess process;
  private final SplittableRandom random;
  private final int slots;
  private final Consumer<SubWorkerEvent> events;
  private final List<Rank> running = new ArrayList<>();
  private final Set<String> orders = new HashSet<>();

  private static final class Rank {
    final String gang;
    final StartOrder order;
    final int rank;
    boolean started;
    boolean over;

    Rank(String gang, StartOrder order, int rank) {
      this.gang = gang;
      this.order = order;
      this.rank = rank;
    }
  }

  SimRanks(
      World world,
      SimProcess process,
      SplittableRandom random,
      int slots,
      Consumer<SubWorkerEvent> events) {
    this.world = world;
    this.process = process;
    this.random = random;
    this.slots = slots;
    this.events = events;
  }

  boolean idle() {
    return running.isEmpty();
  }

  /** The number of ranks that run or are about to. */
  int count() {
    return running.size();
  }

  /** Starts the ranks of an order, unless it is a repetition because an answer was lost. */
  void start(String gang, StartOrder order) {
    if (!orders.add(gang + ' ' + order.job() + '#' + order.attempt())) {
      return;
    }
    for (int rank : order.ranks()) {
      Rank one = new Rank(gang, order, rank);
      running.add(one);
      process.in(
          random.nextLong(2_000),
          () ->
              process.effect(
                  () -> "starts rank %d of %s".formatted(rank, order.job()), () -> start(one)));
    }
  }

  private void start(Rank one) {
    if (one.over) {
      return;
    }
    one.started = true;
    StartOrder order = one.order;
    world.witness().ranks().starts(process, slots, order.request(), order.attempt(), one.rank);
    Tasks tasks = order.request().run().tasks();
    int ordinal = order.request().bundle().tasks().getFirst().ordinal();
    if (tasks.poison(ordinal) && one.rank == 0) {
      process.in(1_000, process::die);
      return;
    }
    RankBarrier all = world.hpc().meetings().of(one.gang, order);
    all.arrive(
        process,
        one.rank,
        () -> process.in(tasks.micros(ordinal), () -> done(one, all, random.nextBoolean())));
  }

  private void done(Rank one, RankBarrier all, boolean notices) {
    if (one.over || (all.broken() && !notices)) {
      // The rank waits for one that has died, until it is ended.
      return;
    }
    boolean fails = all.broken() || (one.order.fails() && one.rank == one.order.size() - 1);
    if (!fails) {
      all.leave(one.rank);
    }
    GangEvent.How how = fails ? GangEvent.How.FAILED : GangEvent.How.WELL;
    end(one, how);
    tell(one, how);
  }

  private void end(Rank one, GangEvent.How how) {
    one.over = true;
    running.remove(one);
    if (one.started) {
      world
          .witness()
          .ranks()
          .ends(process, one.order.request(), one.order.attempt(), one.rank, how);
    }
  }

  private void tell(Rank one, GangEvent.How how) {
    events.accept(
        new SubWorkerEvent.RankEnded(
            one.gang, new GangEvent.Ended(one.order.job(), one.order.attempt(), one.rank, how)));
  }

  /** Ends the running ranks of this attempt. */
  void kill(String gang, String job, int attempt) {
    for (Rank one : List.copyOf(running)) {
      if (one.gang.equals(gang) && one.order.job().equals(job) && one.order.attempt() == attempt) {
        end(one, GangEvent.How.KILLED);
        process.in(random.nextLong(20_000), () -> tell(one, GangEvent.How.KILLED));
      }
    }
  }
}
