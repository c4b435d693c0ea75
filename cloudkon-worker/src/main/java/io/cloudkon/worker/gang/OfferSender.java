package io.cloudkon.worker.gang;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.batch.NaturalBatcher;
import io.cloudkon.core.codec.OfferCodec;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.RankOffer;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.worker.pipeline.Later;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Sends offers of ranks; one call can carry offers of several gangs. Thread safe. */
final class OfferSender implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OfferSender.class);

  private final RequestQueue ranks;
  private final GangInbox inbox;
  private final Later later;
  private final BackOff backOff;
  private final TimeSource time;
  private final NaturalBatcher<Offer> offers;

  private record Offer(RankOffer rank, OutgoingMessage message) {}

  OfferSender(RequestQueue ranks, GangInbox inbox, Later later, BackOff backOff, TimeSource time) {
    this.ranks = ranks;
    this.inbox = inbox;
    this.later = later;
    this.backOff = backOff;
    this.time = time;
    this.offers =
        new NaturalBatcher<>(
            "cloudkon-offer",
            2,
            Limits.BATCH,
            Limits.MESSAGE_BYTES,
            Integer.MAX_VALUE,
            offer -> offer.message().countedBytes(),
            this::send);
  }

  /**
   * Sends an offer as a message of its job's client, unless it has expired before its turn; reports
   * a failure to the inbox after a back-off.
   */
  void send(RankOffer offer, String client) {
    try {
      offers.add(new Offer(offer, OfferCodec.encode(offer, client)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IllegalStateException e) {
      // Closed: the gang has no manager any more.
      return;
    }
  }

  private void send(List<Offer> all) {
    long now = time.serviceMillis();
    List<Offer> batch = all.stream().filter(offer -> now < offer.rank().deadlineMillis()).toList();
    if (batch.isEmpty()) {
      return;
    }
    List<Offer> failed = new ArrayList<>();
    try {
      ranks
          .send(batch.stream().map(Offer::message).toList())
          .forEach(failure -> {
            LOG.atLevel(failure.retryable() ? Level.DEBUG : Level.WARN)
                .log("could not offer ranks, trying again: {}", failure.reason());
            failed.add(batch.get(failure.index()));
          });
    } catch (RefusedException e) {
      // Logged already.
      failed.addAll(batch);
    } catch (RuntimeException | Error e) {
      // Catches everything: an offer that is not sent again would hold its gang until the timeout.
      LOG.warn("could not offer ranks, trying again: {}", e.toString());
      failed.addAll(batch);
    }
    tell(failed);
  }

  private void tell(List<Offer> failed) {
    Map<String, Set<Integer>> byGang = new TreeMap<>();
    for (Offer offer : failed) {
      RankOffer rank = offer.rank();
      byGang.computeIfAbsent(rank.gang(), gang -> new TreeSet<>()).add(rank.rank());
    }
    byGang.forEach((gang, ranks) ->
        later.after(backOff.millis(2), () -> inbox.tell(new GangEvent.OfferFailed(gang, ranks))));
  }

  @Override
  public void close() throws InterruptedException {
    offers.close();
  }
}
