package io.cloudkon.worker.service;

import io.cloudkon.core.codec.DeadLetters;
import io.cloudkon.core.codec.ResultCodec;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.worker.source.Undecodable;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles messages that are not bundles: tells the client, which the attributes name, sends the
 * message with the reason to the dead-letter queue, and only then deletes it. If a step fails, the
 * message is received again, unless its client can never be told.
 */
final class UndecodableMessages implements Undecodable {
  private static final Logger LOG = LoggerFactory.getLogger(UndecodableMessages.class);

  private final Cluster cluster;
  private final RequestQueue queue;
  private final ResultBatch.WorkerId worker;
  private final TimeSource time;

  /**
   * A handler for one queue of the cluster.
   *
   * @param queue the source of the messages, from which they are deleted
   */
  UndecodableMessages(
      Cluster cluster, RequestQueue queue, ResultBatch.WorkerId worker, TimeSource time) {
    this.cluster = cluster;
    this.queue = queue;
    this.worker = worker;
    this.time = time;
  }

  @Override
  public void accept(ReceivedMessage message, String reason) {
    LOG.warn("a message in queue {} is not a bundle: {}", queue.name(), reason);
    try {
      if (tellClient(message, reason) && keep(message, reason)) {
        queue.delete(List.of(message.handle()));
      }
    } catch (RuntimeException e) {
      LOG.warn("it will be received again: {}", e.toString());
    }
  }

  private boolean tellClient(ReceivedMessage message, String reason) {
    Map<String, String> attributes = message.attributes();
    String run = attributes.get(OutgoingMessage.RUN);
    String bundle = attributes.get(OutgoingMessage.BUNDLE);
    String responses = attributes.get(OutgoingMessage.RESPONSE_QUEUE);
    if (run == null || bundle == null || responses == null || bundle.split("/", -1).length < 3) {
      return true;
    }
    long now = time.wallMicros();
    ResultBatch answer =
        new ResultBatch(
            run,
            bundle.split("/", -1)[1],
            bundle,
            worker,
            1,
            "",
            new ResultBatch.BundleStamps(now, now, now, now, now),
            List.of(),
            List.of(),
            "its bundle could not be decoded: " + reason);
    OutgoingMessage told = new OutgoingMessage(Map.of(), ResultCodec.encode(answer));
    try {
      return cluster.responses().send(responses, List.of(told)).stream()
          .noneMatch(BatchFailure::retryable);
    } catch (TransientServiceException e) {
      throw e;
    } catch (CloudKonException e) {
      // The client is gone, or the queue named is not a client's or does not accept it: there is no
      // one to tell.
      LOG.debug("its client is not told: {}", e.toString());
      return true;
    }
  }

  private boolean keep(ReceivedMessage message, String reason) {
    OutgoingMessage letter = DeadLetters.of(message.attributes(), message.payload(), reason);
    List<BatchFailure> failures = cluster.dead().send(List.of(letter));
    failures.forEach(failure -> LOG.warn("it will be received again: {}", failure.reason()));
    return failures.isEmpty();
  }
}
