package io.cloudkon.worker.gang;

import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.model.RankOffer;
import io.cloudkon.core.protocol.gang.GangEffect;
import io.cloudkon.core.protocol.gang.SubWorkerEvent;
import io.cloudkon.hpc.rmi.Address;
import io.cloudkon.hpc.rmi.Secrets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Offers the ranks of gangs that this worker manages: to itself as far as it has slots, and the
 * others to all workers. Thread safe.
 */
final class OfferRouter {
  private final ServedGangs served;
  private final OfferSender sender;
  private final GangInbox inbox;
  private final Supplier<Address> here;

  OfferRouter(ServedGangs served, OfferSender sender, GangInbox inbox, Supplier<Address> here) {
    this.served = served;
    this.sender = sender;
    this.inbox = inbox;
    this.here = here;
  }

  /**
   * Offers ranks.
   *
   * @param job the header of the job for which the gang forms
   * @param own the maximum number of ranks that this worker takes, unless it avoids the job
   */
  void offer(GangEffect.Offer offer, ManagedGang gang, BundleHeader job, int own) {
    Address address = here.get();
    int most = served.avoids(job.bundle()) ? 0 : own;
    List<SubWorkerEvent.Offer> taken = new ArrayList<>();
    for (int rank : offer.ranks()) {
      RankOffer one =
          new RankOffer(
              gang.id,
              job.bundle(),
              offer.attempt(),
              rank,
              offer.size(),
              address.toString(),
              Secrets.ticket(gang.secret, rank),
              offer.deadline(),
              address.fingerprint());
      if (taken.size() < most) {
        taken.add(served.offeredHere(one));
      } else {
        sender.send(one, Names.client(job.responseQueue()));
      }
    }
    if (!taken.isEmpty()) {
      inbox.tell(new SubWorkerEvent.Offered(taken));
    }
  }
}
