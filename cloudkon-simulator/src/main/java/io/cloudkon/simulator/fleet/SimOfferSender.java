package io.cloudkon.simulator.fleet;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.protocol.gang.GangEffect;
import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.simulator.engine.Batcher;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.SimOffer;
import io.cloudkon.simulator.world.World;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Sends offers for the ranks of a manager's gangs that need a slot. */
final class SimOfferSender {
  private final World world;
  private final SimProcess process;
  private final BackOff backOff;
  private final Consumer<GangEvent> events;
  private final Batcher<SimOffer> offers;

  SimOfferSender(World world, SimProcess process, BackOff backOff, Consumer<GangEvent> events) {
    this.world = world;
    this.process = process;
    this.backOff = backOff;
    this.events = events;
    this.offers =
        new Batcher<>(2, Limits.BATCH, Limits.MESSAGE_BYTES, offer -> SimOffer.BYTES, this::send);
  }

  /** Offers ranks of this job. */
  void offer(GangEffect.Offer offer, String job) {
    offer
        .ranks()
        .forEach(rank ->
            offers.add(new SimOffer(offer.gang(), job, rank, process.name(), offer.deadline())));
  }

  private void send(List<SimOffer> all, Runnable answered) {
    long now = process.now().service();
    List<SimOffer> batch = all.stream().filter(offer -> now < offer.deadline()).toList();
    if (batch.isEmpty()) {
      answered.run();
      return;
    }
    world
        .hpc()
        .ranks()
        .send(
            process,
            batch,
            sent -> {
              TreeMap<String, Set<Integer>> failed = new TreeMap<>();
              for (int i = 0; i < batch.size(); i++) {
                if (sent == null || sent.refused().get(i)) {
                  SimOffer offer = batch.get(i);
                  failed.computeIfAbsent(offer.gang(), gang -> new TreeSet<>()).add(offer.rank());
                }
              }
              failed.forEach((gang, ranks) ->
                  process.in(
                      backOff.millis(2) * 1000,
                      () -> events.accept(new GangEvent.OfferFailed(gang, ranks))));
              answered.run();
            });
  }
}
