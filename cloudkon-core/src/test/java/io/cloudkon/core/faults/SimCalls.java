package io.cloudkon.core.faults;

import io.cloudkon.core.codec.DeadLetters;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.ClaimStore;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.claim.ClaimEffect;
import io.cloudkon.core.protocol.claim.ClaimWrite;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A worker's calls about one bundle: each is one effect, and its answer, or the end of its
 * back-off, one event.
 */
final class SimCalls {
  /** How long a bundle is hidden whose results can go nowhere. */
  static final long HIDDEN = 20_000;

  private static final long BACK_OFF = 200;
  private static final int DELETE_TRIES = 3;

  private final World world;
  private final Lifeline life;
  private final String worker;
  private final int slots;
  private final Consumer<WorkerEvent> events;

  SimCalls(World world, Lifeline life, String worker, int slots, Consumer<WorkerEvent> events) {
    this.world = world;
    this.life = life;
    this.worker = worker;
    this.slots = slots;
    this.events = events;
  }

  void claims(Hand hand, ClaimEffect.Call call) {
    ClaimStore store = world.cluster.claims();
    switch (call) {
      case ClaimEffect.Acquire acquire ->
          ask(
              hand,
              "acquire %s as %s".formatted(hand, acquire.acquisition().mode()),
              () -> store.acquire(acquire.acquisition()),
              BundleEvent.AcquireAnswered::new,
              new BundleEvent.AcquireFailed());
      case ClaimEffect.Write effect -> {
        ClaimWrite write = effect.write();
        ask(
            hand,
            "write %s seq %d %s started %s done %s children %s"
                .formatted(
                    hand,
                    write.seq(),
                    write.state(),
                    write.started(),
                    write.done(),
                    write.children()),
            () -> store.write(write),
            answer -> new BundleEvent.WriteAnswered(write.seq(), answer),
            new BundleEvent.WriteFailed(write.seq()));
      }
    }
  }

  void results(Hand hand, int attempt, Positions tasks) {
    List<Positions> parts = parts(tasks);
    List<OutgoingMessage> batch = new ArrayList<>();
    for (Positions part : parts) {
      batch.add(message(hand, attempt, hand.results(part)));
    }
    send(hand, "results of " + tasks, parts, batch);
  }

  void notRun(Hand hand, int attempt, Positions tasks, TaskStatus status, String reason) {
    long now = world.time.wallMicros();
    send(
        hand,
        status + " for " + tasks,
        List.of(tasks),
        List.of(message(hand, attempt, hand.notRun(tasks, status, reason, now))));
  }

  void dead(Hand hand, Positions tasks, String reason) {
    Bundle failed =
        new Bundle(
            hand.bundle.header(),
            tasks.stream().mapToObj(position -> hand.bundle.tasks().get(position)).toList());
    life.call(
        "dead letter of %s with %s".formatted(hand, tasks),
        () -> {
          boolean sent =
              attempt(() ->
                  world.cluster.dead().send(List.of(DeadLetters.of(failed, reason))).isEmpty());
          return () ->
              later(
                  hand,
                  sent ? world.latency() : BACK_OFF,
                  sent ? new BundleEvent.DeadAccepted() : new BundleEvent.DeadFailed());
        });
  }

  /** Sometimes in two messages, as large results are. */
  private List<Positions> parts(Positions tasks) {
    if (tasks.size() < 2 || world.random.nextInt(3) > 0) {
      return List.of(tasks);
    }
    int[] all = tasks.stream().toArray();
    Positions first = Positions.of(java.util.Arrays.copyOf(all, all.length / 2));
    return List.of(first, tasks.minus(first));
  }

  private OutgoingMessage message(Hand hand, int attempt, List<TaskResult> results) {
    return Wire.message(hand.batch(worker, slots, attempt, results));
  }

  private void send(Hand hand, String what, List<Positions> parts, List<OutgoingMessage> batch) {
    if (world.has(Bug.RECORDED_EARLY)) {
      life.in(0, () -> parts.forEach(part -> tell(hand, new BundleEvent.ResultsAccepted(part))));
    }
    life.call(
        "send %s of %s".formatted(what, hand),
        () -> {
          if (tooLate(hand)) {
            return () -> {};
          }
          if (world.resultsGoNowhere()) {
            return () ->
                parts.forEach(
                    part -> later(hand, BACK_OFF, new BundleEvent.Undeliverable(part, HIDDEN)));
          }
          List<Integer> failed = new ArrayList<>();
          try {
            world.cluster.responses().send(Scenario.REPLIES, batch).stream()
                .map(BatchFailure::index)
                .forEach(failed::add);
          } catch (TransientServiceException e) {
            for (int i = 0; i < batch.size(); i++) {
              failed.add(i);
            }
          }
          return () -> {
            for (int i = 0; i < parts.size(); i++) {
              Positions part = parts.get(i);
              if (failed.contains(i)) {
                later(hand, BACK_OFF, new BundleEvent.ResultsFailed(part));
              } else {
                later(hand, world.latency(), new BundleEvent.ResultsAccepted(part));
              }
            }
          };
        });
  }

  void child(Hand hand, int k, Positions tasks) {
    var child = hand.bundle.child(k, tasks);
    life.call(
        "send child %d of %s with %s".formatted(k, hand, tasks),
        () -> {
          if (tooLate(hand)) {
            return () -> {};
          }
          world.witness.sending(child);
          boolean sent =
              attempt(() -> world.cluster.requests().send(List.of(Wire.message(child))).isEmpty());
          return () ->
              later(
                  hand,
                  sent ? world.latency() : BACK_OFF,
                  sent ? new BundleEvent.ChildAccepted(k) : new BundleEvent.ChildFailed(k));
        });
  }

  /**
   * Whether what was asked for is not done any more. A worker that was stopped may have been past
   * its last look at the lease: a send that comes after all is the one thing that no claim can
   * fence.
   */
  private boolean tooLate(Hand hand) {
    return hand.closed && world.random.nextBoolean();
  }

  void visibility(Hand hand, long millis, String what) {
    life.call(
        "%s %s for %d ms".formatted(what, hand, millis),
        () -> {
          boolean unused =
              attempt(() -> {
                world.cluster.requests().changeVisibility(hand.handle, Duration.ofMillis(millis));
                return true;
              });
          return () -> {};
        });
  }

  void delete(Hand hand) {
    delete(hand, 1);
  }

  private void delete(Hand hand, int tries) {
    life.call(
        "delete message of " + hand,
        () -> {
          boolean deleted =
              attempt(() -> world.cluster.requests().delete(List.of(hand.handle)).isEmpty());
          return () -> {
            if (deleted || tries == DELETE_TRIES) {
              later(hand, world.latency(), new BundleEvent.Deleted());
            } else {
              life.in(BACK_OFF, () -> delete(hand, tries + 1));
            }
          };
        });
  }

  private <A> void ask(
      Hand hand,
      String what,
      Supplier<A> call,
      Function<A, BundleEvent> answered,
      BundleEvent failed) {
    life.call(
        what,
        () -> {
          try {
            A answer = call.get();
            world.trace("  %s", answer);
            return () -> later(hand, world.latency(), answered.apply(answer));
          } catch (TransientServiceException e) {
            return () -> later(hand, BACK_OFF + world.latency(), failed);
          }
        });
  }

  private boolean attempt(Supplier<Boolean> call) {
    try {
      return call.get();
    } catch (TransientServiceException e) {
      return false;
    }
  }

  private void later(Hand hand, long millis, BundleEvent event) {
    life.in(millis, () -> tell(hand, event));
  }

  private void tell(Hand hand, BundleEvent event) {
    events.accept(new WorkerEvent.OfBundle(hand.key, event));
  }
}
