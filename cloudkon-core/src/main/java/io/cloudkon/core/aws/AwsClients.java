package io.cloudkon.core.aws;

import io.cloudkon.core.error.UsageException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.defaultsmode.DefaultsMode;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The SDK's clients and their connections. Long polls have separate connections: in a shared pool,
 * waiting receives would use up the connections that deletes and heartbeats need, which would lead
 * to redeliveries.
 *
 * @param sqs the client for calls that answer at once
 * @param polls the client for receives that wait, and for large sends
 * @param dynamo the client for the tables
 * @param s3 the client for the bucket, with its own connections
 * @param connections the connections of the others
 */
record AwsClients(
    SqsClient sqs,
    SqsClient polls,
    DynamoDbClient dynamo,
    LazyS3 s3,
    List<SdkHttpClient> connections)
    implements AutoCloseable {
  private static final int CONNECTIONS = 128;

  /**
   * A heartbeat that hangs must fail while there is time left in the lease to try again: two
   * attempts fit into 10 of 15 s.
   */
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(5);

  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);

  /** The connection of a long poll is intentionally silent for 20 s. */
  private static final Duration POLL_ANSWER_TIMEOUT = Duration.ofSeconds(25);

  private static final Duration POLL_TIMEOUT = Duration.ofSeconds(50);

  /**
   * Creates the clients without a call. All clients report to the listeners; the clock learns from
   * SQS and DynamoDB, whose time determines leases.
   */
  static AwsClients create(
      AwsEnvironment environment,
      List<ExecutionInterceptor> listeners,
      ServiceClock clock,
      HttpClients httpClients) {
    List<ExecutionInterceptor> interceptors =
        Stream.concat(listeners.stream(), Stream.of(clock)).toList();
    SdkHttpClient callHttp = httpClients.make(CONNECTIONS, ANSWER_TIMEOUT, ANSWER_TIMEOUT);
    SdkHttpClient pollHttp = httpClients.make(CONNECTIONS, ANSWER_TIMEOUT, POLL_ANSWER_TIMEOUT);
    ClientOverrideConfiguration calls = overrides(CALL_TIMEOUT, interceptors);
    ClientOverrideConfiguration polls = overrides(POLL_TIMEOUT, interceptors);
    try {
      SqsClient sqs = sqs(environment, calls, callHttp);
      DynamoDbClient dynamo =
          common(DynamoDbClient.builder(), environment, calls).httpClient(callHttp).build();
      ServiceEndpoint s3 =
          ServiceEndpoint.find(
              "s3",
              environment.region(),
              sqs.serviceClientConfiguration().endpointOverride().orElse(null),
              dynamo.serviceClientConfiguration().endpointOverride().orElse(null));
      return new AwsClients(
          sqs,
          sqs(environment, polls, pollHttp),
          dynamo,
          new LazyS3(s3, () -> S3Connection.open(environment, listeners, httpClients, s3)),
          List.of(callHttp, pollHttp));
    } catch (SdkClientException | IllegalArgumentException e) {
      throw new UsageException(
          "the AWS settings (AWS_* variables, ~/.aws/config) are wrong: " + e.getMessage(), e);
    }
  }

  private static SqsClient sqs(
      AwsEnvironment environment, ClientOverrideConfiguration overrides, SdkHttpClient http) {
    return common(SqsClient.builder(), environment, overrides)
        .httpClient(http)
        // no MD5 of each message in both directions: TLS, or the loopback, protects the bytes
        // already
        .checksumValidationEnabled(false)
        .build();
  }

  private static ClientOverrideConfiguration overrides(
      Duration callTimeout, List<ExecutionInterceptor> interceptors) {
    ClientOverrideConfiguration.Builder overrides =
        ClientOverrideConfiguration.builder().retryStrategy(retries()).apiCallTimeout(callTimeout);
    interceptors.forEach(overrides::addExecutionInterceptor);
    return overrides.build();
  }

  /**
   * A single quick retry hides a pooled connection that the service has closed meanwhile. All
   * further retries are up to the callers, which back off for as long as necessary and know how
   * much of the lease is left; their retries must not be multiplied.
   */
  static RetryStrategy retries() {
    return AwsRetryStrategy.standardRetryStrategy().toBuilder()
        .maxAttempts(2)
        .backoffStrategy(
            BackoffStrategy.exponentialDelay(Duration.ofMillis(20), Duration.ofMillis(100)))
        .throttlingBackoffStrategy(
            BackoffStrategy.exponentialDelay(Duration.ofMillis(100), Duration.ofMillis(500)))
        .build();
  }

  static <B extends AwsClientBuilder<B, C>, C> B common(
      B builder, AwsEnvironment environment, ClientOverrideConfiguration overrides) {
    return builder
        .region(environment.region())
        .credentialsProvider(environment.credentials())
        // set explicitly, so that neither files nor variables change timeouts
        .defaultsMode(DefaultsMode.STANDARD)
        .overrideConfiguration(overrides);
  }

  /** The endpoint of SQS, if it is not that of AWS. */
  Optional<URI> sqsEndpoint() {
    return sqs.serviceClientConfiguration().endpointOverride();
  }

  /** Likewise. */
  Optional<URI> dynamoEndpoint() {
    return dynamo.serviceClientConfiguration().endpointOverride();
  }

  /** Likewise. */
  Optional<URI> s3Endpoint() {
    return Optional.ofNullable(s3.endpoint().override());
  }

  @Override
  public void close() {
    sqs.close();
    polls.close();
    dynamo.close();
    s3.close();
    connections.forEach(SdkHttpClient::close);
  }
}
