package io.cloudkon.faults;

import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.testing.EmulatorProcess;
import io.cloudkon.core.testing.SdkSettings;
import io.cloudkon.core.time.SystemTime;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * A cluster of its own, on the emulator that all tests of this JVM share. The test looks into it by
 * the project's ports, and past them by the SDK.
 */
public final class TestCluster implements AutoCloseable {
  private final String name = "IT-" + UUID.randomUUID().toString().substring(0, 8);
  private final Map<String, String> environment;
  private final AwsCloud cloud;
  private final Cluster ports;
  private final SqsClient sqs;
  private final DynamoDbClient dynamo;

  /** Creates its queues and tables. */
  public TestCluster() {
    this(EmulatorProcess.shared());
  }

  /** As above, on an emulator of the test's own. */
  TestCluster(EmulatorProcess emulator) {
    environment = emulator.environment();
    SdkSettings.apply(environment);
    cloud = AwsCloud.connect(Set.of(), new SystemTime());
    cloud.setup().setup(name);
    ports = cloud.cluster(name);
    sqs = SqsClient.builder().endpointOverride(endpoint("SQS")).build();
    dynamo = DynamoDbClient.builder().endpointOverride(endpoint("DYNAMODB")).build();
  }

  private URI endpoint(String service) {
    return URI.create(environment.getOrDefault("AWS_ENDPOINT_URL_" + service, ""));
  }

  public String name() {
    return name;
  }

  /** What points a process at it. */
  public Map<String, String> environment() {
    return environment;
  }

  public Cluster ports() {
    return ports;
  }

  /** Messages in the request queue: waiting, in flight and delayed. */
  public long messages() {
    return messages(ports.requests());
  }

  /** Messages of HPC jobs, and of ranks that look for a slot: waiting, in flight and delayed. */
  public long hpcMessages() {
    return messages(ports.hpc().jobs()) + messages(ports.hpc().ranks());
  }

  private static long messages(RequestQueue queue) {
    QueueDepth depth = queue.depth();
    return depth.waiting() + depth.inFlight() + depth.delayed();
  }

  /** The slots for HPC jobs, and who has them. */
  public LedgerView ledger() {
    return ports.hpc().ledger().view();
  }

  /** The response queues that stand. */
  public List<String> responseQueues() {
    return sqs.listQueues(b -> b.queueNamePrefix(Names.responsePrefix(name)).maxResults(1000))
        .queueUrls();
  }

  /**
   * A claim that somebody owns.
   *
   * @param id of its bundle
   */
  record Leased(String id, String owner, String attempt, Positions started, Positions done) {}

  /** All claims in this state, as they stand now. */
  List<Leased> claims(String state) {
    return dynamo
        .scanPaginator(b ->
            b.tableName(Names.claims(name))
                .consistentRead(true)
                .filterExpression("#s = :s")
                .expressionAttributeNames(Map.of("#s", "state"))
                .expressionAttributeValues(Map.of(":s", AttributeValue.fromS(state))))
        .items()
        .stream()
        .map(TestCluster::leased)
        .toList();
  }

  private static Leased leased(Map<String, AttributeValue> item) {
    return new Leased(
        item.get("id").s(),
        item.get("owner").s(),
        item.get("attempt").n(),
        positions(item, "started"),
        positions(item, "done"));
  }

  private static Positions positions(Map<String, AttributeValue> item, String name) {
    AttributeValue bits = item.get(name);
    return bits == null ? Positions.none() : Positions.fromBytes(bits.b().asByteArray());
  }

  @Override
  public void close() {
    sqs.close();
    dynamo.close();
    cloud.close();
  }
}
