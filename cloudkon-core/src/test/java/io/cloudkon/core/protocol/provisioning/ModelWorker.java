package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.port.WorkerTakes;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A launched worker of the {@link FleetModel}: boots, runs tasks, ends itself when it is idle. */
final class ModelWorker {
  final String token;
  final String instance;
  final long launched;
  final long upAt;
  private final long[] busyUntil;
  private long lastBusy;
  private long done;
  private long reported;
  private boolean up;
  boolean ended;
  @Nullable WorkerEntry entry;

  ModelWorker(String token, String instance, long launched, long upAt, int slots) {
    this.token = token;
    this.instance = instance;
    this.launched = launched;
    this.upAt = upAt;
    this.busyUntil = new long[slots];
  }

  boolean live() {
    return up && !ended;
  }

  boolean boots() {
    return !up && !ended;
  }

  /** Comes up, and frees the slots whose task is over; returns how many tasks were finished. */
  int advance(long now) {
    if (ended) {
      return 0;
    }
    if (!up && now >= upAt) {
      up = true;
      lastBusy = now;
    }
    int finished = 0;
    for (int slot = 0; slot < busyUntil.length; slot++) {
      if (busyUntil[slot] != 0 && busyUntil[slot] <= now) {
        busyUntil[slot] = 0;
        finished++;
      }
    }
    done += finished;
    lastBusy = finished > 0 || busy() > 0 ? now : lastBusy;
    return finished;
  }

  int free() {
    return live() ? busyUntil.length - busy() : 0;
  }

  int busy() {
    int busy = 0;
    for (long until : busyUntil) {
      busy += until == 0 ? 0 : 1;
    }
    return busy;
  }

  void start(long end) {
    for (int slot = 0; slot < busyUntil.length; slot++) {
      if (busyUntil[slot] == 0) {
        busyUntil[slot] = end;
        return;
      }
    }
    throw new IllegalStateException("no slot is free");
  }

  /** Ends at once; returns how many tasks it had in hand. */
  int end() {
    int inHand = live() ? busy() : 0;
    ended = true;
    Arrays.fill(busyUntil, 0);
    return inHand;
  }

  boolean idleFor(long timeout, long now) {
    return live() && busy() == 0 && now - lastBusy >= timeout;
  }

  void report(long now, double everySeconds) {
    if (live()) {
      entry =
          new WorkerEntry(
              token + '-' + instance,
              "host",
              new WorkerOrigin(token, instance, "process", ""),
              WorkerTakes.ALL,
              "worker",
              "",
              busyUntil.length,
              busy(),
              0,
              0,
              done,
              (done - reported) / everySeconds,
              upAt,
              now);
      reported = done;
    }
  }

  LaunchedInstance listed() {
    LaunchedInstance.State state =
        ended ? LaunchedInstance.State.ENDED : LaunchedInstance.State.RUNNING;
    return new LaunchedInstance(instance, token, "process", "", state, launched);
  }
}
