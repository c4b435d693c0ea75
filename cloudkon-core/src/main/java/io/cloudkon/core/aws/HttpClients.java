package io.cloudkon.core.aws;

import java.time.Duration;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;

/**
 * Makes the HTTP clients beneath the SDK's. Thread safe.
 *
 * @param decorator put around each of them
 */
record HttpClients(HttpDecorator decorator) {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

  /**
   * A client, which opens its connections when they are needed.
   *
   * @param connections at most
   * @param acquisition how long a call may wait for one of them
   * @param silence how long there may be nothing to read
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
