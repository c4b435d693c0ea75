package io.cloudkon.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;

/** The JSON protocol of SQS by hand. */
final class SqsCalls implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http = HttpClient.newHttpClient();
  private final URI endpoint;
  private final String authorization;

  SqsCalls(Endpoints endpoints, AccessKey key) {
    this.authorization = authorization(key);
    this.endpoint = URI.create("http://127.0.0.1:" + endpoints.sqsPort());
  }

  /** One answer: the status, and the body as far as it is JSON. */
  record Answer(int status, JsonNode body) {
    String error() {
      String type = body.path("__type").asText();
      return type.substring(type.indexOf('#') + 1);
    }

    JsonNode ok() {
      if (status != 200) {
        throw new AssertionError(status + " " + body);
      }
      return body;
    }
  }

  Answer call(String action, Map<String, ?> parameters) {
    try {
      HttpRequest request =
          HttpRequest.newBuilder(endpoint)
              .timeout(Duration.ofSeconds(60))
              .header("Content-Type", "application/x-amz-json-1.0")
              .header("Authorization", authorization)
              .header("X-Amz-Target", "AmazonSQS." + action)
              .POST(BodyPublishers.ofByteArray(JSON.writeValueAsBytes(parameters)))
              .build();
      HttpResponse<byte[]> response = http.send(request, BodyHandlers.ofByteArray());
      return new Answer(response.statusCode(), JSON.readTree(response.body()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** As far as the emulator looks at it. */
  static String authorization(AccessKey key) {
    return "AWS4-HMAC-SHA256 Credential=%s/20260101/us-east-1/any/aws4_request, Signature=0"
        .formatted(key.id());
  }

  String createQueue(String name) {
    return call("CreateQueue", Map.of("QueueName", name)).ok().path("QueueUrl").asText();
  }

  void send(String queueUrl, String body) {
    call("SendMessage", Map.of("QueueUrl", queueUrl, "MessageBody", body)).ok();
  }

  /** Waits up to 20 s for one message, with all its attributes. */
  JsonNode receive(String queueUrl) {
    return call(
            "ReceiveMessage",
            Map.of(
                "QueueUrl",
                queueUrl,
                "WaitTimeSeconds",
                20,
                "MessageAttributeNames",
                java.util.List.of("All"),
                "MessageSystemAttributeNames",
                java.util.List.of("All")))
        .ok()
        .path("Messages");
  }

  @Override
  public void close() {
    http.close();
  }
}
