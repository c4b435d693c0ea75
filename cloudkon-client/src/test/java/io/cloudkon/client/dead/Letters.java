package io.cloudkon.client.dead;

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
import io.cloudkon.core.time.SystemTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A cluster in memory, and what its workers would put into its dead-letter queue. */
final class Letters {
  final SystemTime time = new SystemTime();
  final Cluster cluster = new MemoryCloud(time).setup("Q");
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

  /** Letters that others can see. */
  long visible() {
    return cluster.dead().depth().waiting();
  }

  QueueDepth depth() {
    return cluster.dead().depth();
  }
}
