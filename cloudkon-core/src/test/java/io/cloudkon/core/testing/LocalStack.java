package io.cloudkon.core.testing;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;

/** LocalStack, wherever it runs. */
public final class LocalStack {
  private static final int PATIENCE_MILLIS = 10_000;

  private LocalStack() {}

  /** The one that the variables point at which {@code localstack/host-mode.sh} prints. */
  static Reach reach() {
    return SdkSettings.value("AWS_ENDPOINT_URL")
        .<Reach>map(endpoint ->
            at(
                checked(URI.create(endpoint)),
                URI.create(SdkSettings.value("AWS_ENDPOINT_URL_DYNAMODB").orElse(endpoint))))
        .orElseGet(() ->
            new Reach.Nowhere(
                Target.LOCALSTACK,
                "AWS_ENDPOINT_URL is not set; to start one: eval \"$(localstack/host-mode.sh"
                    + " start)\""));
  }

  /**
   * One that answers here.
   *
   * @param endpoint of every service
   * @param dynamoDb but of this one
   */
  public static Reach.At at(URI endpoint, URI dynamoDb) {
    Map<String, String> variables = new LinkedHashMap<>();
    for (String variable : SdkSettings.ENDPOINTS) {
      variables.put(variable, endpoint.toString());
    }
    variables.put("AWS_ENDPOINT_URL_DYNAMODB", dynamoDb.toString());
    putOr(variables, "AWS_REGION", "us-east-1");
    putOr(variables, "AWS_ACCESS_KEY_ID", "local");
    putOr(variables, "AWS_SECRET_ACCESS_KEY", "local");
    return new Reach.At(Target.LOCALSTACK, Map.copyOf(variables));
  }

  private static void putOr(Map<String, String> variables, String variable, String otherwise) {
    variables.put(variable, SdkSettings.value(variable).orElse(otherwise));
  }

  /** What runs against something else must not be taken for a proof of LocalStack. */
  private static URI checked(URI endpoint) {
    URI health = endpoint.resolve("/_localstack/health");
    try {
      HttpURLConnection connection =
          (HttpURLConnection) health.toURL().openConnection(Proxy.NO_PROXY);
      connection.setConnectTimeout(PATIENCE_MILLIS);
      connection.setReadTimeout(PATIENCE_MILLIS);
      int status = connection.getResponseCode();
      connection.disconnect();
      if (status != HttpURLConnection.HTTP_OK) {
        throw new IllegalStateException(
            "AWS_ENDPOINT_URL=%s is not LocalStack: %s answers %d"
                .formatted(endpoint, health, status));
      }
      return endpoint;
    } catch (IOException e) {
      throw new IllegalStateException(
          "AWS_ENDPOINT_URL=%s is not LocalStack: %s".formatted(endpoint, e), e);
    }
  }
}
