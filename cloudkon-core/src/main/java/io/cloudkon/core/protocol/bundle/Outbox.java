package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.time.Moment;
import java.util.List;
import java.util.function.Predicate;

/**
 * The outgoing messages of a bundle. The client gets results, which are held back for a moment so
 * that they are sent together, and reports on tasks that did not run; one such message is on its
 * way at a time. The request queue gets children. Only accepted results are recorded.
 */
final class Outbox {
  private final TaskLedger tasks;
  private final BundleClaim claim;
  private final GivingUp givingUp;
  private final HeldResults held;
  private final Children children = new Children();

  Outbox(TaskLedger tasks, BundleClaim claim, GivingUp givingUp, ReplySettings settings) {
    this.tasks = tasks;
    this.claim = claim;
    this.givingUp = givingUp;
    this.held = new HeldResults(settings);
  }

  /** Adds that many bytes of results, which may wait for others. */
  void add(long bytes, Moment now) {
    held.add(bytes, tasks.nothingFinished(), now);
  }

  /** Handles the outcome of a send. */
  void on(BundleEvent.OfDelivery event) {
    switch (event) {
      case BundleEvent.ResultsAccepted accepted -> {
        tasks.accepted(accepted.tasks());
        claim.record(givingUp.accepted(accepted.tasks()));
      }
      case BundleEvent.ResultsFailed failed -> tasks.sendFailed(failed.tasks());
      case BundleEvent.Undeliverable nowhere -> tasks.sendFailed(nowhere.tasks());
      case BundleEvent.ChildAccepted accepted -> {
        children.returned(accepted.k());
        claim.childSent(accepted.k());
      }
      case BundleEvent.ChildFailed failed -> children.returned(failed.k());
      case BundleEvent.ChildRefused refusal -> children.returned(refusal.k());
      case BundleEvent.DeadAccepted accepted -> givingUp.sent();
      case BundleEvent.DeadFailed failed -> givingUp.notSent();
      case BundleEvent.DeadRefused refusal -> givingUp.refused();
    }
  }

  /**
   * Sends the client what is due.
   *
   * @param last whether no other result is expected soon that could be sent with it
   * @param out receives the effect
   */
  void tell(boolean last, Moment now, List<BundleEffect> out) {
    if (!tasks.sendingNothing()) {
      return;
    }
    boolean told = !tasks.nothingLost() && givingUp.tell(tasks, out);
    if (!told && !tasks.nothingFinished() && (last || held.due(now))) {
      out.add(new BundleEffect.SendResults(tasks.sendFinished()));
    }
  }

  /**
   * Sends the children that are due.
   *
   * @param failedHere whether some of these tasks failed here
   * @param out takes the effects
   */
  void sendChildren(Predicate<Positions> failedHere, List<BundleEffect> out) {
    out.addAll(children.due(claim.childrenRecorded(), failedHere));
  }
}
