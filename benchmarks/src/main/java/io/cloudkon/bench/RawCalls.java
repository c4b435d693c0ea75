package io.cloudkon.bench;

import io.cloudkon.core.model.Names;
import io.cloudkon.core.time.SystemTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/**
 * The bare SDK calls that bundles require: send, receive, acquire, reply, receive, done, and both
 * deletes. As a program: {@code RawCalls QUEUE BUNDLES REQUEST-BYTES RESULT-BYTES} prints the
 * seconds that they take in four threads, with at most ten bundles to a batch.
 */
public final class RawCalls implements AutoCloseable {
  private static final int THREADS = 4;
  private static final int WARM_UP_BATCHES = 2;
  private static final QueueAttributeName WAITING =
      QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES;
  private static final QueueAttributeName IN_FLIGHT =
      QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE;

  private final SdkHttpClient http = Apache5HttpClient.builder().maxConnections(64).build();
  private final SqsClient sqs =
      SqsClient.builder().httpClient(http).checksumValidationEnabled(false).build();
  private final DynamoDbClient dynamo = DynamoDbClient.builder().httpClient(http).build();
  private final String cluster;
  private final String claims;
  private final String requests;
  private final String responses;

  RawCalls(String cluster) {
    this.cluster = cluster;
    claims = cluster + "-claims";
    requests = sqs.createQueue(b -> b.queueName(cluster + "-raw-requests")).queueUrl();
    responses = sqs.createQueue(b -> b.queueName(cluster + "-raw-responses")).queueUrl();
  }

  public static void main(String[] args) throws InterruptedException, ExecutionException {
    RawLoad load =
        new RawLoad(
            Integer.parseInt(args[1]),
            Integer.parseInt(args[2]),
            Integer.parseInt(args[3]),
            THREADS,
            2);
    try (RawCalls calls = new RawCalls(args[0])) {
      System.out.printf(Locale.ROOT, "%.3f%n", calls.warmRun(load));
    }
  }

  /** Makes all the calls of a load, after some to warm up the callers; returns the seconds. */
  double warmRun(RawLoad load) throws InterruptedException, ExecutionException {
    double unused = run(load.atMost(WARM_UP_BATCHES * RawLoad.BATCH * load.callers()));
    return run(load);
  }

  /** Makes all the calls of a load; returns the seconds. */
  double run(RawLoad load) throws InterruptedException, ExecutionException {
    byte[] request = new byte[load.requestBytes()];
    byte[] result = new byte[load.resultBytes()];
    int batch = load.batch();
    long begun = System.nanoTime();
    AtomicInteger left = new AtomicInteger(load.bundles());
    List<Future<?>> threads = new ArrayList<>();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < load.callers(); i++) {
        threads.add(
            executor.submit(() -> {
              int mine = left.getAndAdd(-batch);
              while (mine > 0) {
                bundles(Math.min(batch, mine), load.writes(), request, result);
                mine = left.getAndAdd(-batch);
              }
            }));
      }
      for (Future<?> thread : threads) {
        thread.get();
      }
    }
    return (System.nanoTime() - begun) / 1e9;
  }

  private void bundles(int count, int writes, byte[] request, byte[] result) {
    send(requests, count, request);
    delete(requests, receive(requests, count));
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String id = UUID.randomUUID().toString();
      ids.add(id);
      if (writes > 0) {
        acquire(id);
      }
    }
    send(responses, count, result);
    if (writes > 1) {
      ids.forEach(this::done);
    }
    delete(responses, receive(responses, count));
  }

  /**
   * Waits until the cluster's queues of requests and its queues of results are empty. A worker
   * deletes its message last, and so does a client, so all their calls for earlier tasks have ended
   * by then. The waiting receives of an idle cluster go on.
   *
   * @throws io.cloudkon.core.error.CloudKonException if they are not empty after 120 s
   */
  void awaitIdle() throws InterruptedException {
    List<String> queues = new ArrayList<>();
    for (String name : List.of(cluster, Names.hpc(cluster), Names.ranks(cluster))) {
      queues.add(sqs.getQueueUrl(b -> b.queueName(name)).queueUrl());
    }
    queues.addAll(
        sqs.listQueues(b -> b.queueNamePrefix(Names.responsePrefix(cluster))).queueUrls());
    IdleWait.await(queues, this::isEmpty, new SystemTime());
  }

  private boolean isEmpty(String queue) {
    try {
      return sqs
          .getQueueAttributes(b -> b.queueUrl(queue).attributeNames(WAITING, IN_FLIGHT))
          .attributes()
          .values()
          .stream()
          .allMatch("0"::equals);
    } catch (QueueDoesNotExistException e) {
      return true; // its client has ended
    }
  }

  /** Makes the calls between a single task's submission and its result, in sequence. */
  void untilResult(byte[] request, byte[] result, LonelyCalls taken) {
    String id = UUID.randomUUID().toString();
    send(requests, 1, request);
    taken.request = receive(requests, 1);
    acquire(id);
    send(responses, 1, result);
    taken.response = receive(responses, 1);
    taken.id = id;
  }

  /** Makes the transaction of an admission: one item is counted down, and another is put. */
  void admit() {
    String counter = "raw-counter";
    Put gang =
        Put.builder()
            .tableName(claims)
            .item(Map.of("id", AttributeValue.fromS("raw-" + UUID.randomUUID())))
            .conditionExpression("attribute_not_exists(id)")
            .build();
    Update free =
        Update.builder()
            .tableName(claims)
            .key(Map.of("id", AttributeValue.fromS(counter)))
            .updateExpression("ADD slotsLeft :n")
            .expressionAttributeValues(Map.of(":n", AttributeValue.fromN("-4")))
            .build();
    dynamo.transactWriteItems(b ->
        b.clientRequestToken(UUID.randomUUID().toString())
            .transactItems(
                TransactWriteItem.builder().put(gang).build(),
                TransactWriteItem.builder().update(free).build()));
  }

  /** Sends and receives one message; {@link #delete} deletes it afterwards. */
  List<Message> sendAndReceive(byte[] payload) {
    send(requests, 1, payload);
    return receive(requests, 1);
  }

  /** Deletes received messages. */
  void delete(List<Message> received) {
    delete(requests, received);
  }

  /** Makes the remaining calls. */
  void afterResult(LonelyCalls taken) {
    done(taken.id);
    delete(requests, taken.request);
    delete(responses, taken.response);
  }

  /** The state of a single task between submission and deletion. */
  static final class LonelyCalls {
    private String id = "";
    private List<Message> request = List.of();
    private List<Message> response = List.of();
  }

  private void send(String queue, int count, byte[] payload) {
    List<SendMessageBatchRequestEntry> entries = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      entries.add(
          SendMessageBatchRequestEntry.builder()
              .id(Integer.toString(i))
              .messageBody(".")
              .messageAttributes(
                  Map.of(
                      "payload",
                      MessageAttributeValue.builder()
                          .dataType("Binary")
                          .binaryValue(SdkBytes.fromByteArrayUnsafe(payload))
                          .build()))
              .build());
    }
    sqs.sendMessageBatch(b -> b.queueUrl(queue).entries(entries));
  }

  private List<Message> receive(String queue, int count) {
    List<Message> all = new ArrayList<>();
    while (all.size() < count) {
      int missing = count - all.size();
      all.addAll(
          sqs.receiveMessage(b ->
                  b.queueUrl(queue)
                      .maxNumberOfMessages(missing)
                      .waitTimeSeconds(20)
                      .messageAttributeNames("All"))
              .messages());
    }
    return all;
  }

  private void delete(String queue, List<Message> messages) {
    List<DeleteMessageBatchRequestEntry> entries = new ArrayList<>();
    for (Message message : messages) {
      entries.add(
          DeleteMessageBatchRequestEntry.builder()
              .id(Integer.toString(entries.size()))
              .receiptHandle(message.receiptHandle())
              .build());
    }
    sqs.deleteMessageBatch(b -> b.queueUrl(queue).entries(entries));
  }

  private void acquire(String id) {
    update(id, "attribute_not_exists(id)", "LEASED");
  }

  private void done(String id) {
    update(id, "attribute_exists(id)", "DONE");
  }

  private void update(String id, String condition, String state) {
    dynamo.updateItem(b ->
        b.tableName(claims)
            .key(Map.of("id", AttributeValue.fromS(id)))
            .conditionExpression(condition)
            .updateExpression("SET #s = :s, attempt = :a")
            .expressionAttributeNames(Map.of("#s", "state"))
            .expressionAttributeValues(
                Map.of(":s", AttributeValue.fromS(state), ":a", AttributeValue.fromN("1")))
            .returnValues("ALL_NEW"));
  }

  @Override
  public void close() {
    sqs.close();
    dynamo.close();
    http.close();
  }
}
