package io.cloudkon.worker.service;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.batch.NaturalBatcher;
import io.cloudkon.core.codec.BundleMessages;
import io.cloudkon.core.codec.DeadLetters;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.BatchOutcome;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.worker.acknowledge.Acknowledger;
import io.cloudkon.worker.claim.ClaimCaller;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.pipeline.Inbox;
import io.cloudkon.worker.pipeline.Later;
import io.cloudkon.worker.reply.ReplySender;
import java.util.List;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Carries out the effects of a bundle's state machine. Called by the loop; blocking calls run
 * elsewhere.
 */
final class EffectRunner implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EffectRunner.class);
  private static final String LOST =
      "its worker died, left or lost its lease while it ran, and at-most-once forbids a second"
          + " start";

  /** How long a bundle stays hidden if this worker may not send one of its messages. */
  private static final long REFUSED_MILLIS = 60_000;

  private record Child(BundleInHand parent, int k, OutgoingMessage message) {}

  private final RequestQueue requests;
  private final RequestQueue dead;
  private final ClaimCaller claims;
  private final ReplySender replies;
  private final Acknowledger acknowledger;
  private final TimeSource time;
  private final Inbox inbox;
  private final Later later;
  private final BackOff backOff;
  private final Executor io;
  private final NaturalBatcher<Child> children;

  EffectRunner(
      RequestQueue requests,
      RequestQueue dead,
      ClaimCaller claims,
      ReplySender replies,
      Acknowledger acknowledger,
      TimeSource time,
      Inbox inbox,
      Later later,
      BackOff backOff,
      Executor io) {
    this.requests = requests;
    this.dead = dead;
    this.claims = claims;
    this.replies = replies;
    this.acknowledger = acknowledger;
    this.time = time;
    this.inbox = inbox;
    this.later = later;
    this.backOff = backOff;
    this.io = io;
    this.children =
        new NaturalBatcher<>(
            "cloudkon-child",
            1,
            Limits.BATCH,
            Limits.MESSAGE_BYTES,
            Integer.MAX_VALUE,
            child -> child.message().countedBytes(),
            this::sendChildren);
  }

  void carryOut(BundleInHand inHand, BundleEffect effect) {
    switch (effect) {
      case BundleEffect.CallClaims call -> claims.call(inHand, call.call());
      case BundleEffect.SendResults send ->
          replies.send(inHand, send.tasks(), inHand.results(send.tasks()));
      case BundleEffect.SendLost send ->
          replies.send(inHand, send.tasks(), notRun(inHand, send.tasks(), TaskStatus.LOST, LOST));
      case BundleEffect.SendFailed send ->
          replies.send(
              inHand, send.tasks(), notRun(inHand, send.tasks(), TaskStatus.FAILED, send.reason()));
      case BundleEffect.SendDead send -> io.execute(() -> sendDead(inHand, send));
      case BundleEffect.SendChild child -> sendChild(inHand, child);
      case BundleEffect.ExtendVisibility extend ->
          acknowledger.extend(inHand.handle(), extend.millis());
      case BundleEffect.PutBack putBack ->
          io.execute(acknowledger.hide(inHand.handle(), putBack.millis()));
      case BundleEffect.DeleteMessage delete ->
          acknowledger.delete(
              inHand.handle(), () -> inbox.post(inHand.key(), new BundleEvent.Deleted()));
      case BundleEffect.NoteSick note -> io.execute(() -> claims.noteSick(inHand, note.claim()));
      case BundleEffect.Kill kill -> inHand.abandon("its worker may no longer run it");
      case BundleEffect.Close close -> {
        if (close.reason() == BundleEffect.Reason.LOST) {
          inHand.lose();
        }
        inHand.close();
      }
    }
  }

  /** Asks again how long results and deletions may wait for others. */
  void gatherAnew() {
    replies.gatherAnew();
    acknowledger.gatherAnew();
  }

  private List<TaskResult> notRun(
      BundleInHand inHand, Positions tasks, TaskStatus status, String reason) {
    long now = time.wallMicros();
    return tasks.stream()
        .mapToObj(position -> {
          Task task = inHand.task(position);
          return TaskResult.notRun(task.ordinal(), task.id(), status, reason, now);
        })
        .toList();
  }

  private void sendDead(BundleInHand inHand, BundleEffect.SendDead send) {
    Bundle failed =
        new Bundle(inHand.header(), send.tasks().stream().mapToObj(inHand::task).toList());
    BundleEvent answer;
    try {
      answer =
          dead.send(List.of(DeadLetters.of(failed, send.reason()))).stream()
              .findFirst()
              .map(failure -> {
                logNotSent(failure.retryable(), inHand, failure.reason());
                return notSent(send, failure.retryable());
              })
              .orElseGet(() -> new BundleEvent.DeadAccepted(send.tasks()));
    } catch (RuntimeException | Error e) {
      boolean inPassing = !TransientServiceException.isLasting(e);
      // a refusal by a policy has been logged already
      logNotSent(inPassing || e instanceof RefusedException, inHand, e.toString());
      answer = notSent(send, inPassing);
    }
    if (answer instanceof BundleEvent.DeadAccepted) {
      inbox.post(inHand.key(), answer);
    } else {
      BundleEvent later = answer;
      this.later.after(backOff.millis(3), () -> inbox.post(inHand.key(), later));
    }
  }

  private void logNotSent(boolean quietly, BundleInHand inHand, String why) {
    LOG.atLevel(quietly ? Level.DEBUG : Level.WARN)
        .log(
            "tasks of bundle {} not sent to queue {}: {}",
            inHand.header().bundle(),
            dead.name(),
            why);
  }

  private static BundleEvent notSent(BundleEffect.SendDead send, boolean inPassing) {
    return inPassing
        ? new BundleEvent.DeadFailed(send.tasks())
        : new BundleEvent.DeadRefused(send.tasks(), REFUSED_MILLIS);
  }

  private void sendChild(BundleInHand parent, BundleEffect.SendChild child) {
    Bundle bundle = parent.child(child.k(), child.tasks());
    OutgoingMessage message = BundleMessages.of(bundle);
    try {
      children.add(new Child(parent, child.k(), message));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IllegalStateException e) {
      // Closed: the next owner of the parent sends it.
      return;
    }
  }

  private void sendChildren(List<Child> batch) {
    BatchOutcome<Child> outcome;
    try {
      outcome = BatchOutcome.of(batch, requests.send(batch.stream().map(Child::message).toList()));
      outcome.failed().stream()
          .filter(failed -> !failed.why().retryable())
          .forEach(failed ->
              LOG.warn(
                  "queue {} does not accept a child: {}", requests.name(), failed.why().reason()));
    } catch (RuntimeException | Error e) {
      // Catches everything: a child without an answer would hold its parent for ever.
      outcome = BatchOutcome.allFailed(batch, e);
    }
    outcome.tell(
        child -> inbox.post(child.parent().key(), new BundleEvent.ChildAccepted(child.k())),
        this::childFailed);
  }

  private void childFailed(Child child, BatchFailure why) {
    LOG.debug("a child was not sent: {}", why.reason());
    BundleEvent failed =
        why.retryable()
            ? new BundleEvent.ChildFailed(child.k())
            : new BundleEvent.ChildRefused(child.k(), REFUSED_MILLIS);
    later.after(backOff.millis(3), () -> inbox.post(child.parent().key(), failed));
  }

  @Override
  public void close() throws InterruptedException {
    children.close();
    replies.close();
    acknowledger.close();
  }
}
