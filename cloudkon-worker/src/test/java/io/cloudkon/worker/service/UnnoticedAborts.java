package io.cloudkon.worker.service;

import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.RequestQueue;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * A request queue of a service that does not notice when a receive is aborted: it gives a message
 * that becomes visible in time to that receive, and so to nobody.
 */
final class UnnoticedAborts {
  private UnnoticedAborts() {}

  static Cluster in(Cluster whole) {
    return new Cluster(
        whole.name(),
        in(whole.requests()),
        whole.dead(),
        whole.responses(),
        whole.claims(),
        whole.workers(),
        whole.runs(),
        whole.decisions(),
        whole.blobs(),
        whole.hpc());
  }

  private static RequestQueue in(RequestQueue whole) {
    return (RequestQueue)
        Proxy.newProxyInstance(
            RequestQueue.class.getClassLoader(),
            new Class<?>[] {RequestQueue.class},
            (proxy, method, args) -> {
              if (method.getName().equals("receive")) {
                return receive(whole, (int) args[0], (Duration) args[1], (Duration) args[2]);
              }
              try {
                return method.invoke(whole, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static List<ReceivedMessage> receive(
      RequestQueue whole, int max, Duration wait, Duration visibility) throws Exception {
    CompletableFuture<List<ReceivedMessage>> answer = new CompletableFuture<>();
    Thread.ofVirtual()
        .name("service")
        .start(() -> {
          try {
            answer.complete(whole.receive(max, wait, visibility));
          } catch (InterruptedException | RuntimeException e) {
            answer.completeExceptionally(e);
          }
        });
    try {
      return answer.get();
    } catch (CompletionException e) {
      throw e.getCause() instanceof Exception known ? known : e;
    }
  }
}
