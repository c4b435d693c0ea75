package io.cloudkon.core.aws;

import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.VisibilityChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequest;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityRequest;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesRequest;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.OverLimitException;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SqsException;

/** The calls that request and response queues share. */
final class SqsQueues {
  private static final int REMEMBERED = 1000;

  /** A batch of this many bytes may take longer on a slow uplink than a call may be silent. */
  private static final int LARGE_BATCH_BYTES = 128 * 1024;

  private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);
  private static final Duration LONGEST_VISIBILITY = Duration.ofHours(12);
  private static final Duration OVER_LIMIT_PAUSE = Duration.ofSeconds(1);
  private static final MessageSystemAttributeName[] SYSTEM_ATTRIBUTES = {
    MessageSystemAttributeName.SENT_TIMESTAMP, MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT
  };

  /**
   * The errors of SQS for a handle of an earlier receive, or of a message that does not exist any
   * more or has exceeded its 12 hours; an entry of a batch has LocalStack's "…Exception".
   */
  private static final Set<String> OUTDATED =
      Set.of(
          "ReceiptHandleIsInvalid",
          "InvalidParameterValue",
          "InvalidParameterValueException",
          "MessageNotInflight",
          "AWS.SimpleQueueService.MessageNotInflight");

  private final SqsClient calls;
  private final SqsClient polls;

  /** The addresses of the queues that were used last; a worker meets a queue for each run. */
  private final Map<String, String> urls =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
              return size() > REMEMBERED;
            }
          });

  SqsQueues(AwsClients clients) {
    this.calls = clients.sqs();
    this.polls = clients.polls();
  }

  /** The address of a queue, which is requested once as long as it is remembered. */
  String url(String queue) {
    String known = urls.get(queue);
    if (known == null) {
      known =
          AwsCall.queue("GetQueueUrl", queue)
              .make(() -> calls.getQueueUrl(b -> b.queueName(queue)).queueUrl());
      urls.put(queue, known);
    }
    return known;
  }

  /** Remembers an address that another call returned. */
  void learn(String queue, String url) {
    urls.put(queue, url);
  }

  /** Forgets a queue that no longer exists. */
  void forget(String queue) {
    urls.remove(queue);
  }

  List<BatchFailure> send(String queue, List<OutgoingMessage> batch) {
    List<SendMessageBatchRequestEntry> entries = new ArrayList<>(batch.size());
    int bytes = 0;
    for (int i = 0; i < batch.size(); i++) {
      entries.add(SqsMessages.encode(i, batch.get(i)));
      bytes += batch.get(i).countedBytes();
    }
    // Polls have more time: 50 s, of which 25 may pass without an answer.
    SqsClient client = bytes < LARGE_BATCH_BYTES ? calls : polls;
    return on(
        "SendMessageBatch",
        queue,
        url ->
            failures(
                client
                    .sendMessageBatch(
                        SendMessageBatchRequest.builder().queueUrl(url).entries(entries).build())
                    .failed()));
  }

  List<ReceivedMessage> receive(String queue, int max, Duration wait, Duration visibility)
      throws InterruptedException {
    long waitSeconds = seconds(wait, LONGEST_WAIT);
    // long polls must not use the connections that deletes and heartbeats need
    SqsClient client = waitSeconds > 0 ? polls : calls;
    try {
      List<Message> messages =
          Interruptibly.call(() ->
              on(
                  "ReceiveMessage",
                  queue,
                  url ->
                      client
                          .receiveMessage(
                              ReceiveMessageRequest.builder()
                                  .queueUrl(url)
                                  .maxNumberOfMessages(max)
                                  .waitTimeSeconds((int) waitSeconds)
                                  .visibilityTimeout((int) seconds(visibility, LONGEST_VISIBILITY))
                                  .messageSystemAttributeNames(SYSTEM_ATTRIBUTES)
                                  .messageAttributeNames("All")
                                  .build())
                          .messages()));
      return messages.stream().map(SqsMessages::decode).toList();
    } catch (OverLimitException e) {
      Thread.sleep(wait.compareTo(OVER_LIMIT_PAUSE) < 0 ? wait : OVER_LIMIT_PAUSE);
      return List.of();
    }
  }

  List<BatchFailure> delete(String queue, List<String> handles) {
    List<DeleteMessageBatchRequestEntry> entries = new ArrayList<>(handles.size());
    for (int i = 0; i < handles.size(); i++) {
      entries.add(
          DeleteMessageBatchRequestEntry.builder()
              .id(Integer.toString(i))
              .receiptHandle(handles.get(i))
              .build());
    }
    return on(
        "DeleteMessageBatch",
        queue,
        url ->
            currentFailures(
                calls
                    .deleteMessageBatch(
                        DeleteMessageBatchRequest.builder().queueUrl(url).entries(entries).build())
                    .failed()));
  }

  void changeVisibility(String queue, String handle, Duration visibility) {
    on(
        "ChangeMessageVisibility",
        queue,
        url -> {
          try {
            return calls.changeMessageVisibility(
                ChangeMessageVisibilityRequest.builder()
                    .queueUrl(url)
                    .receiptHandle(handle)
                    .visibilityTimeout((int) seconds(visibility, LONGEST_VISIBILITY))
                    .build());
          } catch (SqsException e) {
            if (e.awsErrorDetails() != null && OUTDATED.contains(e.awsErrorDetails().errorCode())) {
              return "";
            }
            throw e;
          }
        });
  }

  List<BatchFailure> changeVisibilities(String queue, List<VisibilityChange> batch) {
    List<ChangeMessageVisibilityBatchRequestEntry> entries = new ArrayList<>(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      entries.add(
          ChangeMessageVisibilityBatchRequestEntry.builder()
              .id(Integer.toString(i))
              .receiptHandle(batch.get(i).handle())
              .visibilityTimeout((int) seconds(batch.get(i).visibility(), LONGEST_VISIBILITY))
              .build());
    }
    return on(
        "ChangeMessageVisibilityBatch",
        queue,
        url ->
            currentFailures(
                calls
                    .changeMessageVisibilityBatch(
                        ChangeMessageVisibilityBatchRequest.builder()
                            .queueUrl(url)
                            .entries(entries)
                            .build())
                    .failed()));
  }

  /** The failed entries, without those of outdated handles, which are no failures. */
  private static List<BatchFailure> currentFailures(List<BatchResultErrorEntry> failed) {
    return failures(failed.stream().filter(entry -> !OUTDATED.contains(entry.code())).toList());
  }

  QueueDepth depth(String queue) {
    Map<QueueAttributeName, String> counts =
        on(
            "GetQueueAttributes",
            queue,
            url ->
                calls
                    .getQueueAttributes(
                        GetQueueAttributesRequest.builder()
                            .queueUrl(url)
                            .attributeNames(
                                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE,
                                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED)
                            .build())
                    .attributes());
    return new QueueDepth(
        number(counts, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES),
        number(counts, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE),
        number(counts, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED));
  }

  private <T> T on(String operation, String queue, Function<String, T> call) {
    String url = url(queue);
    try {
      return call.apply(url);
    } catch (QueueDoesNotExistException e) {
      forget(queue);
      throw AwsCall.queue(operation, queue).explain(e);
    } catch (OverLimitException e) {
      throw e;
    } catch (SdkException e) {
      throw AwsCall.queue(operation, queue).explain(e);
    }
  }

  private static List<BatchFailure> failures(List<BatchResultErrorEntry> failed) {
    List<BatchFailure> failures = new ArrayList<>(failed.size());
    for (BatchResultErrorEntry entry : failed) {
      String reason =
          entry.message() == null ? entry.code() : entry.code() + ": " + entry.message();
      boolean senderFault = Boolean.TRUE.equals(entry.senderFault());
      failures.add(new BatchFailure(Integer.parseInt(entry.id()), reason, !senderFault));
    }
    return failures;
  }

  /**
   * A duration in whole seconds for SQS, rounded up so that no hiding or waiting time is too short.
   */
  private static long seconds(Duration duration, Duration longest) {
    Duration capped = duration.compareTo(longest) > 0 ? longest : duration;
    return capped.plusNanos(999_999_999).toSeconds();
  }

  private static long number(Map<QueueAttributeName, String> counts, QueueAttributeName name) {
    return Long.parseLong(counts.getOrDefault(name, "0"));
  }
}
