package io.cloudkon.client.dead;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.codec.DeadLetters;
import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.testing.Intercepted;
import io.cloudkon.core.time.SystemTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** A cluster in memory, and what its workers would put into its dead-letter queue. */
final class Letters {
  final SystemTime time = new SystemTime();

  /** The names of the calls to the dead-letter queue but for its depth and its sends. */
  final List<String> calls = new CopyOnWriteArrayList<>();

  final Cluster cluster =
      Intercepted.dead(
          new MemoryCloud(time).setup("Q"),
          (method, arguments, call) -> {
            if (!Set.of("depth", "send", "name").contains(method)) {
              calls.add(method);
            }
            return call.make();
          });
  final DeadLetterBox box = new DeadLetterBox(cluster.dead(), time, Duration.ZERO);

  static Task echo(int ordinal, String id) {
    return new Task(ordinal, id, new Work.JavaCall("echo", List.of(id)), 0);
  }

  static Bundle bundle(String run, int sequence, Task... tasks) {
    return bundle(run, sequence, List.of(), tasks);
  }

  static Bundle bundle(String run, int sequence, List<Content> ships, Task... tasks) {
    return new Bundle(
        new BundleHeader(
            run,
            "e",
            BundleIds.of(run, "e", sequence),
            "Q-response-c",
            Consistency.EXACTLY_ONCE,
            65_536,
            1,
            2,
            0,
            ships),
        List.of(tasks));
  }

  void dies(Bundle bundle, String reason) {
    send(DeadLetters.of(bundle, reason));
  }

  void diesUnread(String payload, String reason) {
    send(
        DeadLetters.of(
            Map.of(OutgoingMessage.RUN, "r9", OutgoingMessage.BUNDLE, "r9/e/1"),
            payload.getBytes(StandardCharsets.UTF_8),
            reason));
  }

  private void send(OutgoingMessage letter) {
    if (!cluster.dead().send(List.of(letter)).isEmpty()) {
      throw new AssertionError("not accepted");
    }
  }

  List<DeadLetter> all() throws InterruptedException {
    List<DeadLetter> all = new ArrayList<>();
    box.browse(all::add);
    return all;
  }

  /** That many letters, of run r1. */
  void die(int count) {
    for (int i = 0; i < count; i++) {
      dies(bundle("r1", i, echo(i, "t" + i)), "because");
    }
  }

  /** The number of calls of this name. */
  long calls(String method) {
    return calls.stream().filter(method::equals).count();
  }

  /** Receives letters, as another program does that reads them. */
  void readByAnother(int count) throws InterruptedException {
    assertThat(cluster.dead().receive(count, Duration.ZERO, Duration.ofMinutes(1))).hasSize(count);
  }

  /** Letters that others can see. */
  long visible() {
    return cluster.dead().depth().waiting();
  }

  QueueDepth depth() {
    return cluster.dead().depth();
  }
}
