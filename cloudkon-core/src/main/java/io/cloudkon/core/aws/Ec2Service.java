package io.cloudkon.core.aws;

import io.cloudkon.core.error.CloudKonException;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.services.ec2.Ec2Client;

/**
 * EC2, which most commands do not need: its client, endpoint and connections are created when they
 * are first used. Thread safe.
 */
public final class Ec2Service implements AutoCloseable {
  private static final int CONNECTIONS = 16;

  /** CreateFleet answers within seconds, when the result is known. */
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(20);

  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(30);

  private final AwsEnvironment environment;
  private final CallCounter counter;
  private final HttpClients httpClients;
  private final Set<String> insecureHosts;
  private final @Nullable URI sqs;
  private final @Nullable URI dynamo;
  private @Nullable ServiceEndpoint endpoint;
  private @Nullable SdkHttpClient connection;
  private @Nullable Ec2Client client;
  private boolean closed;

  /**
   * A service that creates nothing yet.
   *
   * @param counter counts the calls
   * @param insecureHosts the hosts, in addition to loopback, that may be called without TLS
   * @param sqs the endpoint of SQS, if it is not that of AWS; EC2 at AWS is then not used either
   * @param dynamo the same for DynamoDB
   */
  Ec2Service(
      AwsEnvironment environment,
      CallCounter counter,
      HttpClients httpClients,
      Set<String> insecureHosts,
      @Nullable URI sqs,
      @Nullable URI dynamo) {
    this.environment = environment;
    this.counter = counter;
    this.httpClients = httpClients;
    this.insecureHosts = Set.copyOf(insecureHosts);
    this.sqs = sqs;
    this.dynamo = dynamo;
  }

  /** The region's id. */
  public String region() {
    return environment.region().id();
  }

  /**
   * Whether EC2 may be called, which is not the case if other services are emulated and EC2 is not.
   */
  public boolean isReachable() {
    return endpoint().elsewhere() == null;
  }

  private synchronized ServiceEndpoint endpoint() {
    ServiceEndpoint known = endpoint;
    if (known == null) {
      known = ServiceEndpoint.find("ec2", environment.region(), sqs, dynamo);
      endpoint = known;
    }
    return known;
  }

  /**
   * The client.
   *
   * @throws CloudKonException if other services are not at AWS, and no endpoint of EC2 is set
   * @throws io.cloudkon.core.error.UsageException if its endpoint is plain http on another machine
   */
  public synchronized Ec2Client client() {
    if (closed) {
      throw new IllegalStateException("the connection to AWS is closed");
    }
    Ec2Client made = client;
    if (made == null) {
      made = open();
      client = made;
    }
    return made;
  }

  private Ec2Client open() {
    ServiceEndpoint where = endpoint();
    if (where.elsewhere() != null) {
      throw new CloudKonException(
          ("no EC2 endpoint: %s is set, AWS_ENDPOINT_URL_EC2 is not; 'cloudkon local' has no EC2:"
                  + " there use --launcher process, for AWS a new terminal, or name your emulator's"
                  + " EC2")
              .formatted(where.elsewhere()));
    }
    if (where.override() != null) {
      AwsEnvironment.check("EC2", where.override(), insecureHosts);
    }
    SdkHttpClient http = httpClients.make(CONNECTIONS, ANSWER_TIMEOUT, ANSWER_TIMEOUT);
    connection = http;
    ClientOverrideConfiguration overrides =
        ClientOverrideConfiguration.builder()
            .retryStrategy(AwsClients.retries())
            .apiCallTimeout(CALL_TIMEOUT)
            .addExecutionInterceptor(counter)
            .build();
    return AwsClients.common(Ec2Client.builder(), environment, overrides).httpClient(http).build();
  }

  /**
   * Translates an exception of the SDK into CloudKon's.
   *
   * @param operation such as {@code CreateFleet}
   * @param kind what it was about: "cluster", "launch template"
   * @param resource its name
   */
  public CloudKonException explain(String operation, String kind, String resource, SdkException e) {
    return new AwsCall("ec2." + operation, kind, resource, "", null, "").explain(e);
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (client != null) {
      client.close();
    }
    if (connection != null) {
      connection.close();
    }
  }
}
