package io.cloudkon.core.aws;

import io.cloudkon.core.port.NoBlobStoreException;
import java.net.URI;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * The S3 client, created when it is first used: most runs do not need it and should not wait until
 * its classes are loaded. Thread safe.
 */
final class LazyS3 implements AutoCloseable {
  private final ServiceEndpoint endpoint;
  private final Supplier<S3Connection> maker;
  private @Nullable S3Connection connection;
  private boolean closed;

  LazyS3(ServiceEndpoint endpoint, Supplier<S3Connection> maker) {
    this.endpoint = endpoint;
    this.maker = maker;
  }

  /** The endpoint of S3. */
  ServiceEndpoint endpoint() {
    return endpoint;
  }

  /** Whether it is called with TLS; emulators are not. */
  boolean isEncrypted() {
    URI override = endpoint.override();
    return override == null || "https".equals(override.getScheme());
  }

  /** Whether S3 may be called at all. */
  boolean isReachable() {
    return endpoint.elsewhere() == null;
  }

  /**
   * The client.
   *
   * @throws NoBlobStoreException if other services are not at AWS, and no endpoint of S3 is set
   */
  synchronized S3Client client() {
    if (!isReachable()) {
      throw new NoBlobStoreException(
          "no S3 endpoint: %s is set, AWS_ENDPOINT_URL_S3 is not; set it too, to the same emulator's"
              .formatted(endpoint.elsewhere()));
    }
    if (closed) {
      throw new IllegalStateException("the connection to AWS is closed");
    }
    if (connection == null) {
      connection = maker.get();
    }
    return connection.client();
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (connection != null) {
      connection.close();
      connection = null;
    }
  }
}
