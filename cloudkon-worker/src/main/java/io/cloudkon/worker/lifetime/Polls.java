package io.cloudkon.worker.lifetime;

import io.cloudkon.core.protocol.idle.IdleMachine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The receives of one queue, one at a time: determines how long each may wait, and records whether
 * one that began after the worker decided to leave came back empty. Once the last look at all of a
 * worker's queues has found nothing, no receive begins any more: its messages would not be wanted,
 * and would be hidden from other workers for a while. Thread safe.
 */
public final class Polls {
  /** The polls of all queues of the worker, this one included; also their lock. */
  private final List<Polls> all;

  private Duration wait = Duration.ofMillis(IdleMachine.LONG_POLL_MILLIS);
  private boolean lastLook;
  private boolean underWay;
  private boolean beganInLastLook;
  private boolean empty;

  private Polls(List<Polls> all) {
    this.all = all;
  }

  /**
   * The receives of that many queues of one worker; one that {@linkplain #leave leaves} is removed.
   */
  public static List<Polls> ofQueues(int count) {
    List<Polls> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(new Polls(all));
    }
    return all;
  }

  /** Begins a receive; returns how long it may wait, or null if it must not begin. */
  public @Nullable Duration begin() {
    synchronized (all) {
      // If the last looks at the other queues find nothing either, the worker ends.
      if (empty && all.stream().allMatch(one -> one.empty || one.underWay)) {
        return null;
      }
      underWay = true;
      empty = false;
      beganInLastLook = lastLook;
      return wait;
    }
  }

  /** Ends the receive that began last, with its number of messages; negative if it failed. */
  public void ended(int messages) {
    synchronized (all) {
      underWay = false;
      empty = lastLook && beganInLastLook && messages == 0;
    }
  }

  /** Ends the receives of this queue for good: the worker's end waits for the others only. */
  void leave() {
    synchronized (all) {
      all.remove(this);
    }
  }

  /** Sets how long receives that begin from now on may wait. */
  void waitUpTo(Duration longest) {
    synchronized (all) {
      wait = longest;
    }
  }

  /** Makes receives that begin from now on a last look. */
  void lastLook() {
    synchronized (all) {
      lastLook = true;
      beganInLastLook = false;
      empty = false;
    }
  }

  /** Lets receives continue as before. */
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
