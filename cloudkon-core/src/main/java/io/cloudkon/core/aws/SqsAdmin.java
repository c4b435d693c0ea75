package io.cloudkon.core.aws;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.TransientServiceException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ListQueuesRequest;
import software.amazon.awssdk.services.sqs.model.ListQueuesResponse;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;
import software.amazon.awssdk.services.sqs.model.QueueNameExistsException;

/** Creates, lists and removes queues. */
final class SqsAdmin {
  /** The time for which SQS keeps a message that nobody deletes, which is its maximum. */
  static final Duration RETENTION = Duration.ofDays(14);

  private static final Map<QueueAttributeName, String> ATTRIBUTES =
      Map.of(
          QueueAttributeName.MESSAGE_RETENTION_PERIOD,
          Long.toString(RETENTION.toSeconds()),
          QueueAttributeName.RECEIVE_MESSAGE_WAIT_TIME_SECONDS,
          "20");
  private static final QueueAttributeName MAXIMUM_MESSAGE_SIZE =
      QueueAttributeName.MAXIMUM_MESSAGE_SIZE;
  private static final int PAGE = 1000;
  private static final Duration USABLE_WITHIN = Duration.ofSeconds(20);

  private final SqsClient sqs;

  SqsAdmin(SqsClient sqs) {
    this.sqs = sqs;
  }

  /**
   * Creates a queue if it does not exist, and returns its address once it answers; SQS may need a
   * second.
   */
  String create(String queue) {
    String url =
        AwsCall.queue("CreateQueue", queue)
            .make(() -> {
              try {
                return sqs.createQueue(b -> b.queueName(queue).attributes(ATTRIBUTES)).queueUrl();
              } catch (QueueNameExistsException e) {
                // it exists with other attributes
                return sqs.getQueueUrl(b -> b.queueName(queue)).queueUrl();
              }
            });
    ServiceWait.until(
        USABLE_WITHIN,
        () -> attributes(queue, url) != null,
        () -> new CloudKonException("queue '%s' was created but does not answer".formatted(queue)));
    return url;
  }

  /**
   * Gives an existing queue the attributes that every queue of a cluster has, without a redrive
   * policy and with a message limit of {@link Limits#MESSAGE_BYTES}.
   *
   * @throws CloudKonException if it accepts only smaller messages and this cannot be changed
   */
  void align(String queue, String url) {
    @Nullable Map<QueueAttributeName, String> current = attributes(queue, url);
    if (current == null) {
      return;
    }
    Map<QueueAttributeName, String> wrong = new HashMap<>();
    ATTRIBUTES.forEach((name, value) -> {
      // an emulator may not know all of them
      if (current.containsKey(name) && !value.equals(current.get(name))) {
        wrong.put(name, value);
      }
    });
    if (!current.getOrDefault(QueueAttributeName.REDRIVE_POLICY, "").isEmpty()) {
      // it would remove healthy bundles, because put-backs raise their receive count
      wrong.put(QueueAttributeName.REDRIVE_POLICY, "");
    }
    if (!wrong.isEmpty()) {
      set(queue, url, wrong);
    }
    int limit =
        Integer.parseInt(
            current.getOrDefault(MAXIMUM_MESSAGE_SIZE, Integer.toString(Limits.MESSAGE_BYTES)));
    if (limit < Limits.MESSAGE_BYTES) {
      raise(queue, url, limit);
    }
  }

  /**
   * Raises the message limit of a queue that was created before 2025 or manually and is too small
   * for bundles.
   */
  private void raise(String queue, String url, int limit) {
    try {
      set(queue, url, Map.of(MAXIMUM_MESSAGE_SIZE, Integer.toString(Limits.MESSAGE_BYTES)));
    } catch (TransientServiceException e) {
      throw e;
    } catch (CloudKonException e) {
      throw new CloudKonException(
          "queue '%s' accepts messages of at most %d bytes, but bundles need %d, and the limit cannot be raised: %s"
              .formatted(queue, limit, Limits.MESSAGE_BYTES, e.getMessage()),
          e);
    }
  }

  private void set(String queue, String url, Map<QueueAttributeName, String> attributes) {
    AwsCall.queue("SetQueueAttributes", queue)
        .make(() -> sqs.setQueueAttributes(b -> b.queueUrl(url).attributes(attributes)));
  }

  /** Removes a queue; a queue that does not exist is not a failure. */
  void delete(String queue, String url) {
    AwsCall.queue("DeleteQueue", queue)
        .make(() -> {
          try {
            return sqs.deleteQueue(b -> b.queueUrl(url));
          } catch (QueueDoesNotExistException e) {
            return "";
          }
        });
  }

  /** The names of the queues with a prefix, in ascending order. */
  List<String> list(String prefix) {
    List<String> names = new ArrayList<>();
    @Nullable String next = null;
    do {
      ListQueuesRequest request =
          ListQueuesRequest.builder()
              .queueNamePrefix(prefix.isEmpty() ? null : prefix)
              .maxResults(PAGE)
              .nextToken(next)
              .build();
      ListQueuesResponse page =
          AwsCall.queue("ListQueues", prefix + '*').make(() -> sqs.listQueues(request));
      page.queueUrls().forEach(url -> names.add(url.substring(url.lastIndexOf('/') + 1)));
      next = page.nextToken();
    } while (next != null);
    return names.stream().sorted().toList();
  }

  /** The attributes of a queue; null if it does not exist, or not yet. */
  private @Nullable Map<QueueAttributeName, String> attributes(String queue, String url) {
    try {
      return AwsCall.queue("GetQueueAttributes", queue)
          .make(() ->
              sqs.getQueueAttributes(b -> b.queueUrl(url).attributeNames(QueueAttributeName.ALL))
                  .attributes());
    } catch (MissingResourceException e) {
      return null;
    }
  }
}
