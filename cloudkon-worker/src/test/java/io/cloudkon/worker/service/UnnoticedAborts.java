package io.cloudkon.worker.service;

import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.testing.Intercepted;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * A request queue of a service that does not notice when a receive is aborted: it gives a message
 * that becomes visible in time to that receive, and so to nobody.
 */
final class UnnoticedAborts {
  private UnnoticedAborts() {}

  static Cluster in(Cluster whole) {
    return Intercepted.requests(
        whole,
        (method, arguments, call) ->
            switch (method) {
              case "receive" -> inAnotherThread(call);
              case "endsReceivesAtOnce" -> false;
              default -> call.make();
            });
  }

  private static Object inAnotherThread(Intercepted.Call call) throws InterruptedException {
    CompletableFuture<Object> answer = new CompletableFuture<>();
    Thread.ofVirtual()
        .name("service")
        .start(() -> {
          try {
            answer.complete(call.make());
          } catch (Throwable t) {
            answer.completeExceptionally(t);
          }
        });
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }
}
