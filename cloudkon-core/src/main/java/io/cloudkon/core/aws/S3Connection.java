package io.cloudkon.core.aws;

import java.time.Duration;
import java.util.List;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * The S3 client and its connections.
 *
 * @param client for all calls on the bucket
 * @param connection its HTTP connections
 */
record S3Connection(S3Client client, SdkHttpClient connection) implements AutoCloseable {
  private static final int CONNECTIONS = 128;

  /**
   * The timeout between two bytes, and until an answer begins. There is no timeout for a whole
   * call, because 5 GiB may take hours on a slow connection.
   */
  private static final Duration SILENCE_TIMEOUT = Duration.ofSeconds(30);

  /**
   * Opens a connection without a call.
   *
   * @param listeners are notified of each call; the service's clock is not learned here, because
   *     leases depend on that of SQS and DynamoDB
   */
  static S3Connection open(
      AwsEnvironment environment,
      List<ExecutionInterceptor> listeners,
      HttpClients httpClients,
      ServiceEndpoint endpoint) {
    SdkHttpClient connection = httpClients.make(CONNECTIONS, SILENCE_TIMEOUT, SILENCE_TIMEOUT);
    ClientOverrideConfiguration overrides =
        ClientOverrideConfiguration.builder()
            .retryStrategy(AwsClients.retries())
            .executionInterceptors(listeners)
            .build();
    S3Client client =
        AwsClients.common(S3Client.builder(), environment, overrides)
            .httpClient(connection)
            // emulators have no host name per bucket
            .forcePathStyle(endpoint.override() != null)
            .build();
    return new S3Connection(client, connection);
  }

  @Override
  public void close() {
    client.close();
    connection.close();
  }
}
