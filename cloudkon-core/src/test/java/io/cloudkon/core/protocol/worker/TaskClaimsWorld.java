package io.cloudkon.core.protocol.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.ClaimEffect;
import io.cloudkon.core.protocol.claim.ClaimRules;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Messages whose tasks have a claim each, workers that die, drain and stall, calls that fail or
 * whose answers are lost; in virtual time, from one seed. What is promised is checked as it
 * happens.
 */
final class TaskClaimsWorld {
  /** Until then there are faults. */
  private static final long CALM = 120_000;

  private static final long LIMIT = 900_000;
  private static final long HIDDEN = 15_000;

  final SplittableRandom random;
  final Consistency mode;
  final List<Message> messages = new ArrayList<>();
  private final Map<String, Claim> claims = new HashMap<>();
  private final PriorityQueue<Due> agenda =
      new PriorityQueue<>(Comparator.comparingLong(Due::at).thenComparingLong(Due::order));
  private final List<TaskClaimsWorker> workers = new ArrayList<>();
  private long time = 10_000;
  private long order;

  /** A message of the queue, and what is known of its tasks. */
  static final class Message {
    final Bundle bundle;
    final int[] starts;
    final boolean[] real;
    final boolean[] lost;
    long visibleAt;
    boolean deleted;

    Message(Bundle bundle) {
      this.bundle = bundle;
      int tasks = bundle.tasks().size();
      this.starts = new int[tasks];
      this.real = new boolean[tasks];
      this.lost = new boolean[tasks];
    }
  }

  private record Due(long at, long order, Runnable what) {}

  TaskClaimsWorld(long seed, Consistency mode, int bundles, int tasks) {
    this.random = new SplittableRandom(seed);
    this.mode = mode;
    for (int i = 0; i < bundles; i++) {
      int size = 1 + random.nextInt(tasks);
      long millis = random.nextInt(4) == 0 ? 3_000 : random.nextInt(200);
      messages.add(new Message(WorkerBench.taskByTask(i, mode, size, WorkerBench.sleep(millis))));
    }
    for (int i = 0; i < 3; i++) {
      join();
    }
  }

  void in(long millis, Runnable what) {
    agenda.add(new Due(time + millis, order++, what));
  }

  Moment now() {
    return new Moment(time, 3_000_000 + time);
  }

  /** Whether a fault strikes that strikes once in so many times. */
  boolean strikes(int times) {
    return time < CALM && random.nextInt(times) == 0;
  }

  long latency() {
    return 1 + random.nextInt(time < CALM && random.nextInt(50) == 0 ? 8_000 : 30);
  }

  void join() {
    workers.add(new TaskClaimsWorker(this, "w" + workers.size()));
  }

  void run() {
    while (!over()) {
      Due due = agenda.remove();
      time = due.at();
      assertThat(time).as("not over: %s", open()).isLessThan(LIMIT);
      due.what().run();
    }
    for (Message message : messages) {
      assertEnded(message);
    }
  }

  private boolean over() {
    return time > CALM && messages.stream().allMatch(message -> message.deleted);
  }

  private List<String> open() {
    return messages.stream().filter(m -> !m.deleted).map(m -> m.bundle.header().bundle()).toList();
  }

  private void assertEnded(Message message) {
    for (int i = 0; i < message.starts.length; i++) {
      String claim = claim(message, i);
      if (mode == Consistency.AT_MOST_ONCE) {
        assertThat(message.starts[i]).as(claim).isLessThanOrEqualTo(1);
        assertThat(message.real[i] || message.lost[i]).as(claim).isTrue();
      } else {
        assertThat(message.real[i]).as(claim).isTrue();
        assertThat(message.lost[i]).as(claim).isFalse();
      }
    }
  }

  private static String claim(Message message, int position) {
    return BundleIds.taskClaim(message.bundle.header().bundle(), position);
  }

  /** What a receive brings; now and then what somebody else has. */
  List<Message> receive(int max) {
    List<Message> brought = new ArrayList<>();
    for (Message message : messages) {
      boolean visible = message.visibleAt <= time || strikes(100);
      if (brought.size() < max && !message.deleted && visible) {
        message.visibleAt = time + HIDDEN;
        brought.add(message);
      }
    }
    return brought;
  }

  void hide(Message message, long millis) {
    message.visibleAt = time + millis;
  }

  /** Everything of it is done by then. */
  void delete(Message message) {
    message.deleted = true;
    for (int i = 0; i < message.starts.length; i++) {
      Claim claim = claims.get(claim(message, i));
      assertThat(claim == null ? null : claim.state()).isEqualTo(ClaimState.DONE);
    }
    assertThat(claims).doesNotContainKey(message.bundle.header().bundle());
  }

  ClaimAnswer call(Message message, ClaimEffect.Call call) {
    String id = id(call);
    Claim item = claims.get(id);
    Optional<Claim> changed =
        switch (call) {
          case ClaimEffect.Acquire acquire -> ClaimRules.acquire(item, acquire.acquisition());
          case ClaimEffect.Write write -> ClaimRules.write(item, write.write());
          case ClaimEffect.Survive survive -> ClaimRules.survive(item, survive.attempt());
        };
    changed.ifPresent(claim -> {
      int position = BundleIds.positionOfClaim(id);
      assertThat(BundleIds.ofClaim(id)).isEqualTo(message.bundle.header().bundle());
      assertThat(claim.children()).isEmpty();
      // Recorded is only what was accepted, and done only what is recorded.
      assertThat(claim.done().isEmpty() || message.real[position] || message.lost[position])
          .as(id)
          .isTrue();
      assertThat(claim.state() == ClaimState.DONE && claim.done().isEmpty()).as(id).isFalse();
      claims.put(id, claim);
    });
    return changed
        .<ClaimAnswer>map(ClaimAnswer.Accepted::new)
        .orElseGet(() -> new ClaimAnswer.Refused(item));
  }

  static String id(ClaimEffect.Call call) {
    return switch (call) {
      case ClaimEffect.Acquire acquire -> acquire.acquisition().id();
      case ClaimEffect.Write write -> write.write().id();
      case ClaimEffect.Survive survive -> survive.id();
    };
  }
}
