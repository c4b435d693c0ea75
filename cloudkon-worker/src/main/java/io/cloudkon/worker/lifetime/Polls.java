package io.cloudkon.worker.lifetime;

import io.cloudkon.core.protocol.idle.IdleMachine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The receives of one queue, one at a time: how long each may wait, and whether one that began
 * after the worker decided to leave came back empty. Once the last look at all of a worker's queues
 * has found nothing, none begins any more: nobody wants what it would bring, and it would be hidden
 * from others for a while. Thread safe.
 */
public final class Polls {
  /** The same for the polls of all queues of a worker; their lock as well. */
  private final List<Polls> all;

  private Duration wait = Duration.ofMillis(IdleMachine.LONG_POLL_MILLIS);
  private boolean lastLook;
  private boolean underWay;
  private boolean beganInLastLook;
  private boolean empty;

  private Polls(List<Polls> all) {
    this.all = all;
  }

  /** The receives of a worker's only queue. */
  public static Polls ofOneQueue() {
    return ofQueues(1).getFirst();
  }

  /** The receives of so many queues of one worker. */
  static List<Polls> ofQueues(int count) {
    List<Polls> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(new Polls(all));
    }
    return all;
  }

  /** A receive is to begin: how long it may wait; null if it is not to begin. */
  public @Nullable Duration begin() {
    synchronized (all) {
      // If the others' looks find nothing, this one's is the last.
      if (empty && all.stream().allMatch(one -> one.empty || one.underWay)) {
        return null;
      }
      underWay = true;
      empty = false;
      beganInLastLook = lastLook;
      return wait;
    }
  }

  /** The receive that began last has ended: so many messages; negative if it failed. */
  public void ended(int messages) {
    synchronized (all) {
      underWay = false;
      empty = lastLook && beganInLastLook && messages == 0;
    }
  }

  /** Receives that begin from now on wait for so long. */
  void waitUpTo(Duration longest) {
    synchronized (all) {
      wait = longest;
    }
  }

  /** Receives that begin from now on are a last look. */
  void lastLook() {
    synchronized (all) {
      lastLook = true;
      beganInLastLook = false;
      empty = false;
    }
  }

  /** Receives go on as before. */
  void goOn() {
    synchronized (all) {
      lastLook = false;
      empty = false;
    }
  }

  /** Whether the last look has found nothing. */
  boolean empty() {
    synchronized (all) {
      return empty;
    }
  }
}
