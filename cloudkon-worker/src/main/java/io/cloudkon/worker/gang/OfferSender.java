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
import io.cloudkon.worker.pipeline.Later;
import java.util.List;
import java.util.Set;
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
  private final NaturalBatcher<Offer> offers;

  private record Offer(String gang, OutgoingMessage message) {}

  OfferSender(RequestQueue ranks, GangInbox inbox, Later later, BackOff backOff) {
    this.ranks = ranks;
    this.inbox = inbox;
    this.later = later;
    this.backOff = backOff;
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
   * Sends an offer as a message of its job's client; reports a failure to the inbox after a
   * back-off.
   */
  void send(RankOffer offer, String client) {
    try {
      offers.add(new Offer(offer.gang(), OfferCodec.encode(offer, client)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IllegalStateException e) {
      // Closed: the gang has no manager any more.
      return;
    }
  }

  private void send(List<Offer> batch) {
    Set<String> failed = new TreeSet<>();
    try {
      ranks
          .send(batch.stream().map(Offer::message).toList())
          .forEach(failure -> {
            LOG.atLevel(failure.retryable() ? Level.DEBUG : Level.WARN)
                .log("could not offer ranks, trying again: {}", failure.reason());
            failed.add(batch.get(failure.index()).gang());
          });
    } catch (RefusedException e) {
      // Logged already.
      batch.forEach(offer -> failed.add(offer.gang()));
    } catch (RuntimeException | Error e) {
      // Catches everything: an offer that is not sent again would hold its gang until the timeout.
      LOG.warn("could not offer ranks, trying again: {}", e.toString());
      batch.forEach(offer -> failed.add(offer.gang()));
    }
    for (String gang : failed) {
      later.after(backOff.millis(2), () -> inbox.tell(new GangEvent.OfferFailed(gang)));
    }
  }

  @Override
  public void close() throws InterruptedException {
    offers.close();
  }
}
