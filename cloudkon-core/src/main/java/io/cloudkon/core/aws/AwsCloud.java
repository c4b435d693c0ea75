package io.cloudkon.core.aws;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.refusal.StartCheck;
import io.cloudkon.core.time.SystemTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to AWS, or to the endpoints in {@code AWS_ENDPOINT_URL[_SQS|_DYNAMODB|_S3|_EC2]}.
 * Region, credentials and endpoints come from the SDK's default chains. Thread safe; close it when
 * everything that uses it has ended.
 */
public final class AwsCloud implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AwsCloud.class);

  private final AwsClients clients;
  private final CallCounter counter;
  private final Outages outages;
  private final SystemTime time;
  private final String region;
  private final Bucket.Choice bucket;
  private final Ec2Service ec2;

  private AwsCloud(
      AwsClients clients,
      CallCounter counter,
      Outages outages,
      SystemTime time,
      String region,
      Bucket.Choice bucket,
      Ec2Service ec2) {
    this.clients = clients;
    this.counter = counter;
    this.outages = outages;
    this.time = time;
    this.region = region;
    this.bucket = bucket;
    this.ec2 = ec2;
  }

  /** Connects with the default bucket. */
  public static AwsCloud connect(Set<String> insecureHosts, SystemTime time) {
    return connect(insecureHosts, null, time);
  }

  /**
   * Connects, through the {@link HttpDecorator} on the class path if there is one. Makes no call
   * yet; see {@link #probe}.
   *
   * @param insecureHosts the hosts, in addition to loopback, that may be called without TLS
   * @param bucket the S3 bucket for large payloads, {@code NAME} of this account or {@code
   *     NAME@ACCOUNT}; null means {@code cloudkon-ACCOUNT-REGION}
   * @param time learns the service's clock from each answer
   * @throws io.cloudkon.core.error.UsageException if region or credentials are missing, an endpoint
   *     is plain http elsewhere, or the bucket's name is illegal
   */
  public static AwsCloud connect(
      Set<String> insecureHosts, @Nullable String bucket, SystemTime time) {
    return connect(insecureHosts, bucket, time, HttpDecorator.ofClassPath());
  }

  static AwsCloud connect(
      Set<String> insecureHosts,
      @Nullable String bucket,
      SystemTime time,
      HttpDecorator decorator) {
    Bucket.Choice choice = bucket == null ? Bucket.byDefault() : Bucket.named(bucket);
    AwsEnvironment environment = AwsEnvironment.load();
    CallCounter counter = new CallCounter();
    Outages outages = new Outages(time::monotonicNanos);
    HttpClients httpClients = new HttpClients(decorator);
    AwsClients clients =
        AwsClients.create(
            environment, List.of(counter, outages), new ServiceClock(time), httpClients);
    try {
      clients.sqsEndpoint().ifPresent(uri -> AwsEnvironment.check("SQS", uri, insecureHosts));
      clients
          .dynamoEndpoint()
          .ifPresent(uri -> AwsEnvironment.check("DynamoDB", uri, insecureHosts));
      clients.s3Endpoint().ifPresent(uri -> AwsEnvironment.check("S3", uri, insecureHosts));
    } catch (CloudKonException e) {
      clients.close();
      throw e;
    }
    Ec2Service ec2 =
        new Ec2Service(
            environment,
            counter,
            httpClients,
            insecureHosts,
            clients.sqsEndpoint().orElse(null),
            clients.dynamoEndpoint().orElse(null));
    return new AwsCloud(clients, counter, outages, time, environment.region().id(), choice, ec2);
  }

  /** Whether SQS is an emulator on this machine, so that no other machine has workers. */
  public boolean onThisMachine() {
    return clients
        .sqsEndpoint()
        .filter(uri -> uri.getHost() != null && AwsEnvironment.isLoopback(uri.getHost()))
        .isPresent();
  }

  /** The ports of a cluster. Makes no call. */
  public Cluster cluster(String name) {
    Names.checkCluster(name);
    SqsQueues queues = new SqsQueues(clients);
    return new Cluster(
        name,
        new AwsRequestQueue(queues, name),
        new AwsRequestQueue(queues, Names.dead(name)),
        new AwsResponseQueue(queues, new SqsAdmin(clients.sqs()), name),
        new AwsClaimStore(clients.dynamo(), Names.claims(name)),
        new AwsWorkerRegistry(clients.dynamo(), Names.workers(name), time),
        new AwsRunStore(clients.dynamo(), Names.runs(name), time),
        new AwsDecisionStore(clients.dynamo(), Names.decisions(name), time),
        new AwsBlobStore(clients.s3(), () -> bucket(() -> queues.url(name)), name),
        new Cluster.Hpc(
            new AwsRequestQueue(queues, Names.hpc(name)),
            new AwsRequestQueue(queues, Names.ranks(name)),
            new AwsCapacityLedger(clients.dynamo(), Names.ledger(name))));
  }

  /**
   * The address of a cluster's request queue, which distinguishes it from other clusters of the
   * same name. Makes a call.
   */
  public String address(String cluster) {
    return new SqsQueues(clients).url(cluster);
  }

  /**
   * The bucket.
   *
   * @param queueUrl supplies the address of any queue of the account, if the account is needed
   */
  Bucket bucket(Supplier<String> queueUrl) {
    return bucket.in(queueUrl, region);
  }

  /**
   * Ensures, with one read each, that both services answer and that the cluster's queue and tables
   * exist. To be called at the start; it also sets the service's clock.
   *
   * @throws MissingResourceException if the queue or a table does not exist, and everything else is
   *     in order
   * @throws CloudKonException within 5 s if a service refuses or cannot be reached; after 20 s if
   *     it is reached but does not answer
   */
  public void probe(String cluster) {
    probe(cluster, StartRead.DEFAULT, StartCheck.none());
  }

  /**
   * Like {@link #probe(String)}, with concurrent checks of a role's other permissions. All refusals
   * are combined in one message: that of the exception if the role cannot start without the
   * permissions, otherwise a warning.
   */
  public void probe(String cluster, StartCheck besides) {
    probe(cluster, StartRead.DEFAULT, besides);
  }

  void probe(String cluster, StartRead read) {
    probe(cluster, read, StartCheck.none());
  }

  private void probe(String cluster, StartRead read, StartCheck besides) {
    Names.checkCluster(cluster);
    try (LaterLooks looks = LaterLooks.begin(besides.looks())) {
      Probe probe =
          Probe.all(
              () -> probeQueue(cluster, read),
              () -> probeTable(Names.runs(cluster), read),
              () -> probeTable(Names.claims(cluster), read));
      if (probe.failures().isEmpty()) {
        besides.judge(looks.refused()).ifPresent(LOG::warn);
        return;
      }
      List<RefusedException> denied = new ArrayList<>(probe.refused());
      if (!denied.isEmpty()) {
        denied.addAll(looks.refused());
        throw RefusedException.inOne(denied);
      }
      probe.throwRefusals();
      probe.throwMissing(() -> ClusterNames.inWords(clients.sqs()));
    }
  }

  /** Like {@link #probe}, but only checks that the services answer; the cluster need not exist. */
  public void probeServices(String cluster) {
    Names.checkCluster(cluster);
    StartRead read = StartRead.DEFAULT;
    Probe.all(() -> probeQueue(cluster, read), () -> probeTable(Names.runs(cluster), read))
        .throwRefusals();
  }

  private void probeQueue(String queue, StartRead read) {
    AwsCall call = AwsCall.queue("GetQueueUrl", queue);
    read.make(timeout ->
        call.make(() ->
            clients
                .sqs()
                .getQueueUrl(b ->
                    b.queueName(queue).overrideConfiguration(o -> o.apiCallTimeout(timeout)))));
  }

  private void probeTable(String table, StartRead read) {
    AwsCall call = AwsCall.table("GetItem", table);
    read.make(timeout ->
        call.make(() ->
            clients
                .dynamo()
                .getItem(b ->
                    b.tableName(table)
                        .key(Items.key("probe"))
                        .returnConsumedCapacity(Items.CAPACITY)
                        .overrideConfiguration(o -> o.apiCallTimeout(timeout)))));
  }

  /** EC2, for launching and ending instances. Neither makes a call nor creates the client yet. */
  public Ec2Service ec2() {
    return ec2;
  }

  /** Creates and removes clusters. */
  public AwsSetup setup() {
    return new AwsSetup(this);
  }

  /** The calls that were made so far over this connection. */
  public CallCounter calls() {
    return counter;
  }

  /** Reports services that do not answer. */
  public Outages outages() {
    return outages;
  }

  /** The region's id. */
  public String region() {
    return region;
  }

  AwsClients clients() {
    return clients;
  }

  SystemTime time() {
    return time;
  }

  @Override
  public void close() {
    clients.close();
    ec2.close();
  }
}
