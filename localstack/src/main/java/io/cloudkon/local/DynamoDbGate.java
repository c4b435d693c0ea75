package io.cloudkon.local;

import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Passes on requests with access to the emulator, each after the emulated latency, and refuses all
 * others. A delayed request occupies one of the server's threads.
 */
final class DynamoDbGate extends Handler.Wrapper {
  private final Access access;
  private final EmulatedLatency latency;

  DynamoDbGate(Access access, EmulatedLatency latency, Handler dynamoDb) {
    super(dynamoDb);
    this.access = access;
    this.latency = latency;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    Optional<String> refusal =
        access.refusal(request.getHeaders()::get, request.getHttpURI().getQuery());
    if (refusal.isEmpty()) {
      latency.delay();
      return super.handle(request, response, callback);
    }
    response.setStatus(HttpStatus.FORBIDDEN_403);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, Refused.JSON.contentType);
    Content.Sink.write(
        response, true, Refused.JSON.body(Refused.UNKNOWN_KEY, refusal.get()), callback);
    return true;
  }
}
