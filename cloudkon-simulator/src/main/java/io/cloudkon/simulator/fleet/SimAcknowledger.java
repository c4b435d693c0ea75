package io.cloudkon.simulator.fleet;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.simulator.cloud.SimQueue;
import io.cloudkon.simulator.engine.Batcher;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.Request;
import io.cloudkon.simulator.world.World;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;

/** Deletes and hides the messages of one queue. */
final class SimAcknowledger {
  private static final int DELETE_TRIES = 8;

  private final World world;
  private final SimQueue<Request> queue;
  private final SimProcess process;
  private final BackOff backOff;
  private final BiConsumer<SimBundle, BundleEvent> events;
  private final Batcher<Deletion> deletions;
  private final Batcher<SimBundle> hidings;

  /** The time for which each message that waits in {@link #hidings} is to be hidden. */
  private final Map<SimBundle, Long> hidingMicros = new HashMap<>();

  private record Deletion(SimBundle hand, int tries) {}

  SimAcknowledger(
      World world,
      SimQueue<Request> queue,
      SimProcess process,
      BackOff backOff,
      BiConsumer<SimBundle, BundleEvent> events) {
    this.world = world;
    this.queue = queue;
    this.process = process;
    this.backOff = backOff;
    this.events = events;
    this.deletions = new Batcher<>(1, Limits.BATCH, Limits.BATCH, d -> 1, this::delete);
    this.hidings = new Batcher<>(1, Limits.BATCH, Limits.BATCH, hand -> 1, this::hide);
  }

  /**
   * Hides the message for this time, rounded up because SQS counts in seconds. Ignores failures. A
   * change that still waits is replaced.
   */
  void hide(SimBundle hand, long millis) {
    long micros = (millis + 999) / 1000 * 1_000_000;
    if (hidingMicros.put(hand, micros) == null) {
      hidings.add(hand);
    }
  }

  private void hide(List<SimBundle> batch, Runnable answered) {
    List<SimQueue.Hiding<Request>> changes =
        batch.stream()
            .map(hand ->
                new SimQueue.Hiding<>(
                    hand.delivery, Objects.requireNonNull(hidingMicros.remove(hand))))
            .toList();
    queue.hide(process, changes, sent -> answered.run());
  }

  void delete(SimBundle hand) {
    world.witness().deleting(process.name(), hand.request);
    deletions.add(new Deletion(hand, 1));
  }

  private void delete(List<Deletion> batch, Runnable answered) {
    queue.delete(
        process,
        batch.stream().map(deletion -> deletion.hand().delivery).toList(),
        sent -> {
          for (int i = 0; i < batch.size(); i++) {
            Deletion deletion = batch.get(i);
            boolean deleted = sent != null && !sent.refused().get(i);
            if (deleted) {
              world.cloud().claims().messageDeleted(deletion.hand().request);
            }
            if (deleted || deletion.tries() >= DELETE_TRIES) {
              events.accept(deletion.hand(), new BundleEvent.Deleted());
            } else {
              process.in(
                  backOff.millis(deletion.tries()) * 1000,
                  () -> deletions.add(new Deletion(deletion.hand(), deletion.tries() + 1)));
            }
          }
          answered.run();
        });
  }
}
