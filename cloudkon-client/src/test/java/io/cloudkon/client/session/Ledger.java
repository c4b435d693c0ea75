package io.cloudkon.client.session;

import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.codec.MalformedMessageException;
import io.cloudkon.core.codec.ResultCodec;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.port.ResponseQueue;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Keeps what clients sent, and how often workers ran each task. Thread safe. */
final class Ledger {
  private final Map<Integer, Integer> runs = new TreeMap<>();
  private final Map<Integer, List<List<Integer>>> sent = new TreeMap<>();

  /** How often each task was run, by its ordinal. */
  synchronized Map<Integer, Integer> runs() {
    return new TreeMap<>(runs);
  }

  /** For each bundle, by number, the tasks that it was sent with, once for each time. */
  synchronized Map<Integer, List<List<Integer>>> sent() {
    Map<Integer, List<List<Integer>>> copy = new TreeMap<>();
    sent.forEach((sequence, times) -> copy.put(sequence, List.copyOf(times)));
    return copy;
  }

  /** The cluster as clients see it. */
  Cluster forClients(Cluster whole) {
    return new Cluster(
        whole.name(),
        watched(RequestQueue.class, whole.requests(), this::bundle),
        whole.dead(),
        whole.responses(),
        whole.claims(),
        whole.workers(),
        whole.runs(),
        whole.decisions(),
        whole.blobs(),
        whole.hpc());
  }

  /** The cluster as workers see it. */
  Cluster forWorkers(Cluster whole) {
    return new Cluster(
        whole.name(),
        whole.requests(),
        whole.dead(),
        watched(ResponseQueue.class, whole.responses(), this::results),
        whole.claims(),
        whole.workers(),
        whole.runs(),
        whole.decisions(),
        whole.blobs(),
        whole.hpc());
  }

  private static <T> T watched(Class<T> port, T whole, Consumer<OutgoingMessage> each) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (proxy, method, arguments) -> {
              try {
                Object answer = method.invoke(whole, arguments);
                if (method.getName().equals("send")) {
                  for (Object message : (List<?>) arguments[arguments.length - 1]) {
                    each.accept((OutgoingMessage) message);
                  }
                }
                return answer;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  private synchronized void bundle(OutgoingMessage message) {
    try {
      var bundle = BundleCodec.decode(message.payload());
      sent.computeIfAbsent(
              BundleIds.sequence(bundle.header().bundle()), sequence -> new ArrayList<>())
          .add(bundle.tasks().stream().map(Task::ordinal).toList());
    } catch (MalformedMessageException e) {
      throw new AssertionError(e);
    }
  }

  private synchronized void results(OutgoingMessage message) {
    try {
      for (TaskResult result : ResultCodec.decode(message.payload()).results()) {
        if (result.status() != TaskStatus.LOST) {
          runs.merge(result.ordinal(), 1, Integer::sum);
        }
      }
    } catch (MalformedMessageException e) {
      throw new AssertionError(e);
    }
  }
}
