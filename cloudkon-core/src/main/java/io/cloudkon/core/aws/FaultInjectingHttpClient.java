package io.cloudkon.core.aws;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpFullResponse;

/**
 * An HTTP client that does to each attempt what {@link Faults} decides, between the SDK and the
 * wire; for tests.
 */
final class FaultInjectingHttpClient implements SdkHttpClient {
  private final SdkHttpClient wire;
  private final Faults faults;

  FaultInjectingHttpClient(SdkHttpClient wire, Faults faults) {
    this.wire = wire;
    this.faults = faults;
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    // both services name the operation so: "AmazonSQS.SendMessageBatch",
    // "DynamoDB_20120810.UpdateItem"
    Optional<String> target = request.httpRequest().firstMatchingHeader("X-Amz-Target");
    if (target.isEmpty()) {
      return wire.prepareRequest(request);
    }
    String service = target.get().startsWith("AmazonSQS") ? "sqs" : "dynamodb";
    String operation = target.get().substring(target.get().indexOf('.') + 1);
    return new Attempt(service, operation, wire.prepareRequest(request));
  }

  @Override
  public String clientName() {
    return wire.clientName();
  }

  @Override
  public void close() {
    wire.close();
  }

  private final class Attempt implements ExecutableHttpRequest {
    private final String service;
    private final String operation;
    private final ExecutableHttpRequest request;

    Attempt(String service, String operation, ExecutableHttpRequest request) {
      this.service = service;
      this.operation = operation;
      this.request = request;
    }

    @Override
    public HttpExecuteResponse call() throws IOException {
      pause();
      return switch (faults.decide(service, operation)) {
        case REACH -> request.call();
        case REFUSED_CONNECTION -> throw new ConnectException("connection refused (by a fault)");
        case UNAVAILABLE -> answer(503, "ServiceUnavailable");
        case THROTTLED -> answer(400, throttle());
        case LOST_ANSWER -> {
          swallow(request.call());
          throw new SocketTimeoutException("the answer was lost (by a fault)");
        }
      };
    }

    private void pause() throws IOException {
      try {
        Thread.sleep(faults.delay(service, operation));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (IOException) new InterruptedIOException().initCause(e);
      }
    }

    private String throttle() {
      return service.equals("sqs") ? "RequestThrottled" : "ProvisionedThroughputExceededException";
    }

    @Override
    public void abort() {
      request.abort();
    }
  }

  private static HttpExecuteResponse answer(int status, String code) {
    byte[] body =
        "{\"__type\":\"com.amazonaws#%s\",\"message\":\"by a fault\"}"
            .formatted(code)
            .getBytes(StandardCharsets.UTF_8);
    return HttpExecuteResponse.builder()
        .response(
            SdkHttpFullResponse.builder()
                .statusCode(status)
                .putHeader("Content-Type", "application/x-amz-json-1.0")
                .putHeader("Content-Length", Integer.toString(body.length))
                .build())
        .responseBody(AbortableInputStream.create(new ByteArrayInputStream(body)))
        .build();
  }

  /** Reads an answer to its end, so that the connection can be used again. */
  private static void swallow(HttpExecuteResponse answer) throws IOException {
    if (answer.responseBody().isPresent()) {
      try (InputStream body = answer.responseBody().get()) {
        body.transferTo(OutputStream.nullOutputStream());
      }
    }
  }
}
