package io.cloudkon.client.send;

import io.cloudkon.client.report.JournalEntry;
import io.cloudkon.client.run.RunContext;
import io.cloudkon.client.run.SendingAccount;
import io.cloudkon.client.run.SentBundle;
import io.cloudkon.client.run.ServicePatience;
import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.batch.NaturalBatcher;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.BatchOutcome;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.time.TimeSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends bundles to one queue in batches. Each bundle is in the journal before its first send. A
 * send that fails transiently is retried under the same ids until it is accepted or the run is
 * over; a queue that has accepted bundles and then refuses them or is missing, as long as {@link
 * ServicePatience} waits. Thread safe.
 */
final class Lanes implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Lanes.class);

  private record Outgoing(SentBundle bundle, OutgoingMessage message) {}

  private final RequestQueue queue;
  private final RunContext run;
  private final SendingAccount account;
  private final TimeSource time;
  private final BooleanSupplier over;
  private final CountDownLatch stopped;
  private final Consumer<Throwable> failed;
  private final ServicePatience patience;

  /** For bundles that are sent again: as they were sent before, the queue has worked. */
  private final ServicePatience resending;

  private final BackOff backOff = new BackOff(100, 5_000, new Random());
  private final NaturalBatcher<Outgoing> batches;

  /**
   * Creates lanes to a queue, as many as the run has threads.
   *
   * @param name the threads' name
   * @param over whether the run is over, so that retrying is useless
   * @param stopped is counted down when nothing more is to be sent
   * @param failed receives the failure that ends the run
   */
  Lanes(
      String name,
      RequestQueue queue,
      RunContext run,
      BooleanSupplier over,
      CountDownLatch stopped,
      Consumer<Throwable> failed) {
    this.queue = queue;
    this.run = run;
    this.account = run.account().sending();
    this.time = run.time();
    this.over = over;
    this.stopped = stopped;
    this.failed = failed;
    this.patience = new ServicePatience(time);
    this.resending = ServicePatience.thatWorked(time);
    this.batches =
        new NaturalBatcher<>(
            name,
            run.options().threads(),
            Limits.BATCH,
            Limits.MESSAGE_BYTES,
            2 * Limits.BATCH,
            outgoing -> outgoing.message().countedBytes(),
            this::send);
  }

  /** Sends a bundle as soon as a lane is free; blocks while many bundles are queued. */
  void add(SentBundle bundle, OutgoingMessage message) throws InterruptedException {
    batches.add(new Outgoing(bundle, message));
  }

  /** Sends a message again, in a single attempt in this thread. */
  List<BatchFailure> resend(OutgoingMessage message) {
    List<BatchFailure> failures = queue.send(List.of(message));
    resending.worked();
    return failures;
  }

  /** Throws a failure to send a message again if it is not worth another try. */
  void throwIfHopelessToResend(CloudKonException e) {
    resending.throwIfHopeless(e);
  }

  /** Waits until everything is sent. */
  void awaitIdle() throws InterruptedException {
    batches.awaitIdle();
  }

  /** Sends a batch, and resends the failed part, until all of it is accepted or the run is over. */
  private void send(List<Outgoing> batch) {
    try {
      long now = time.wallMicros();
      List<Outgoing> left =
          batch.stream().map(o -> new Outgoing(o.bundle().begun(now), o.message())).toList();
      // The journal's entries about these bundles must be on disk before the bundles are sent.
      run.journal().sync();
      left.forEach(outgoing -> account.sending(outgoing.bundle()));
      for (int failures = 1; !left.isEmpty() && !over.getAsBoolean(); failures++) {
        if (!run.lease().awaitValid(over)) {
          return;
        }
        left = trySend(left, now);
        if (!left.isEmpty() && stopped.await(backOff.millis(failures), TimeUnit.MILLISECONDS)) {
          return;
        }
      }
    } catch (InterruptedException e) {
      // Nobody interrupts a lane; without an error its bundles would be waited for forever.
      failed.accept(new CloudKonException("interrupted while sending", e));
    } catch (RuntimeException | Error e) {
      failed.accept(e);
    }
  }

  private List<Outgoing> trySend(List<Outgoing> batch, long begun) {
    BatchOutcome<Outgoing> outcome;
    long asked = time.monotonicNanos();
    try {
      outcome = BatchOutcome.of(batch, queue.send(batch.stream().map(Outgoing::message).toList()));
      account.called((time.monotonicNanos() - asked) / 1000);
      patience.worked();
    } catch (CloudKonException e) {
      patience.throwIfHopeless(e);
      LOG.debug("send failed, trying again: {}", e.getMessage());
      return batch;
    }
    outcome.failed().stream().filter(one -> !one.why().retryable()).forEach(this::refused);
    List<Outgoing> accepted = outcome.accepted();
    long now = time.wallMicros();
    accepted.forEach(outgoing -> account.sent(outgoing.bundle().accepted(now)));
    if (!accepted.isEmpty()) {
      List<Integer> sequences =
          accepted.stream().map(outgoing -> outgoing.bundle().sequence()).sorted().toList();
      run.journal().note(new JournalEntry.Confirmed(sequences, begun, now));
    }
    return outcome.failed().stream().map(BatchOutcome.Failed::entry).toList();
  }

  private void refused(BatchOutcome.Failed<Outgoing> one) {
    throw new CloudKonException(
        "queue '%s' refuses bundle %d of run %s (tasks from line %d): %s"
            .formatted(
                queue.name(),
                one.entry().bundle().sequence(),
                run.identity().run(),
                one.entry().bundle().line(),
                one.why().reason()));
  }

  @Override
  public void close() throws InterruptedException {
    batches.close();
  }
}
