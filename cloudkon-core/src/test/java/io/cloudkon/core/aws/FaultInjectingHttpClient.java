package io.cloudkon.core.aws;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpFullResponse;

/**
 * An HTTP client that does to each attempt what {@link Faults} decides, between the SDK and the
 * wire.
 */
final class FaultInjectingHttpClient implements SdkHttpClient {
  /** As if by SIGKILL. */
  private static final int KILLED = 137;

  private final SdkHttpClient wire;
  private final Faults faults;

  FaultInjectingHttpClient(SdkHttpClient wire, Faults faults) {
    this.wire = wire;
    this.faults = faults;
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    return new Attempt(request, wire.prepareRequest(request));
  }

  private static String body(HttpExecuteRequest request) {
    if (request.contentStreamProvider().isEmpty()) {
      return "";
    }
    try (InputStream body = request.contentStreamProvider().get().newStream()) {
      return new String(body.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
    private final HttpExecuteRequest content;
    private final CalledOperation operation;
    private final ExecutableHttpRequest request;

    Attempt(HttpExecuteRequest content, ExecutableHttpRequest request) {
      this.content = content;
      this.operation = CalledOperation.of(content.httpRequest(), () -> body(content));
      this.request = request;
    }

    @Override
    public HttpExecuteResponse call() throws IOException {
      pause();
      return switch (faults.decide(operation.service(), operation.name())) {
        case REACH -> reach();
        case REFUSED_CONNECTION -> throw new ConnectException("connection refused (by a fault)");
        case UNAVAILABLE -> answer(503, "ServiceUnavailable", operation);
        case THROTTLED -> throttled();
        case LOST_ANSWER -> {
          swallow(request.call());
          throw new SocketTimeoutException("the answer was lost (by a fault)");
        }
      };
    }

    private HttpExecuteResponse reach() throws IOException {
      haltAt(Halt.When.BEFORE);
      HttpExecuteResponse answer = request.call();
      if (answer.httpResponse().isSuccessful()) {
        haltAt(Halt.When.AFTER);
      }
      return answer;
    }

    private void haltAt(Halt.When when) {
      if (faults.halts(when, operation, () -> body(content))) {
        Runtime.getRuntime().halt(KILLED);
      }
    }

    private void pause() throws IOException {
      try {
        Thread.sleep(faults.delay(operation.service(), operation.name()));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (IOException) new InterruptedIOException().initCause(e);
      }
    }

    private HttpExecuteResponse throttled() {
      return switch (operation.service()) {
        case "sqs" -> answer(400, "RequestThrottled", operation);
        case "s3" -> answer(503, "SlowDown", operation);
        case "ec2" -> answer(503, "RequestLimitExceeded", operation);
        default -> answer(400, "ProvisionedThroughputExceededException", operation);
      };
    }

    @Override
    public void abort() {
      request.abort();
    }
  }

  private static HttpExecuteResponse answer(int status, String code, CalledOperation operation) {
    String format =
        switch (operation.service()) {
          case "s3" -> "<Error><Code>%s</Code><Message>by a fault</Message></Error>";
          case "ec2" ->
              "<Response><Errors><Error><Code>%s</Code><Message>by a"
                  + " fault</Message></Error></Errors></Response>";
          default -> "{\"__type\":\"com.amazonaws#%s\",\"message\":\"by a fault\"}";
        };
    boolean xml = format.startsWith("<");
    byte[] body = format.formatted(code).getBytes(StandardCharsets.UTF_8);
    return HttpExecuteResponse.builder()
        .response(
            SdkHttpFullResponse.builder()
                .statusCode(status)
                .putHeader("Content-Type", xml ? "application/xml" : "application/x-amz-json-1.0")
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
