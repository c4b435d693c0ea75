package io.cloudkon.core.testing;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;

/** LocalStack, wherever it runs. */
public final class LocalStack {
  private static final String DYNAMO_DB = "AWS_ENDPOINT_URL_DYNAMODB";
  private static final int PATIENCE_MILLIS = 10_000;

  private LocalStack() {}

  /**
   * The one that the variables point at which {@code localstack/host-mode.sh} prints, or else one
   * in Docker.
   */
  static Reach reach() {
    return SdkSettings.value("AWS_ENDPOINT_URL")
        .<Reach>map(endpoint ->
            at(
                "LocalStack at " + endpoint,
                checked(URI.create(endpoint)),
                SdkSettings.value(DYNAMO_DB).map(at -> Map.of(DYNAMO_DB, at)).orElse(Map.of())))
        .orElseGet(DockerLocalStack::reach);
  }

  /**
   * One that answers here.
   *
   * @param where it runs, in words
   * @param endpoint of every service
   * @param besides variables of a service that is somewhere else
   */
  static Reach.At at(String where, URI endpoint, Map<String, String> besides) {
    Map<String, String> variables = new LinkedHashMap<>();
    for (String variable : SdkSettings.ENDPOINTS) {
      variables.put(variable, endpoint.toString());
    }
    putOr(variables, "AWS_REGION", "us-east-1");
    putOr(variables, "AWS_ACCESS_KEY_ID", "local");
    putOr(variables, "AWS_SECRET_ACCESS_KEY", "local");
    variables.putAll(besides);
    return new Reach.At(Target.LOCALSTACK, where, Map.copyOf(variables));
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
