package io.cloudkon.core.aws;

import java.time.Duration;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;

/**
 * Creates the HTTP clients of the SDK's clients. Thread safe.
 *
 * @param decorator the decorator that is put around each of them
 */
record HttpClients(HttpDecorator decorator) {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

  /**
   * A client that opens its connections when they are needed.
   *
   * @param connections the maximum number of connections
   * @param acquisition how long a call may wait for a connection
   * @param silence how long a read may wait for data
   */
  SdkHttpClient make(int connections, Duration acquisition, Duration silence) {
    return decorator.around(
        // TCP_NODELAY is this client's default
        Apache5HttpClient.builder()
            .maxConnections(connections)
            .connectionTimeout(CONNECT_TIMEOUT)
            .connectionAcquisitionTimeout(acquisition)
            .socketTimeout(silence)
            .tcpKeepAlive(true)
            .build());
  }
}
