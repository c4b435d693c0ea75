package io.cloudkon.simulator.fleet;

import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.simulator.check.Violation;
import io.cloudkon.simulator.cloud.Delivery;
import io.cloudkon.simulator.load.Request;
import io.cloudkon.simulator.load.ResultMessage;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A bundle held by a worker: its message and the results so far. */
final class SimBundle {
  /** The size of a result message without its results, in bytes. */
  private static final int HEADER_BYTES = 300;

  final long key;
  final Delivery<Request> delivery;
  final Request request;
  final String nonce;

  /** Large results that lie in the bucket, identified by their first task. */
  final BitSet stored = new BitSet();

  boolean closed;
  int claimFailures;
  int replyFailures;
  long claimBegun;
  long claimed;
  private final long receiveBegun;
  final long received;
  private final @Nullable TaskStatus[] statuses;
  private final long[] started;
  private final long[] ended;
  private byte[] tries = new byte[0];

  SimBundle(long key, Delivery<Request> delivery, String nonce, long receiveBegun, long received) {
    this.key = key;
    this.delivery = delivery;
    this.request = delivery.body();
    this.nonce = nonce;
    this.receiveBegun = receiveBegun;
    this.received = received;
    int tasks = request.bundle().tasks().size();
    statuses = new TaskStatus[tasks];
    started = new long[tasks];
    ended = new long[tasks];
  }

  Task task(int position) {
    return request.bundle().tasks().get(position);
  }

  /** Records the end of a try; returns whether it failed. */
  boolean finished(int position, long from, long to) {
    return finished(position, false, from, to);
  }

  /**
   * Records the end of a try; returns whether it failed.
   *
   * @param failsHere whether every try fails on this worker
   */
  boolean finished(int position, boolean failsHere, long from, long to) {
    boolean failed = failsHere || failsNext(position);
    if (failed) {
      if (tries.length == 0) {
        tries = new byte[statuses.length];
      }
      tries[position]++;
    }
    statuses[position] = failed ? TaskStatus.FAILED : TaskStatus.SUCCEEDED;
    started[position] = from;
    ended[position] = to;
    return failed;
  }

  /** The same message with another key and nonce, and with the failed tries of its tasks. */
  SimBundle again(long newKey, String newNonce) {
    SimBundle next = new SimBundle(newKey, delivery, newNonce, receiveBegun, received);
    next.tries = tries.clone();
    return next;
  }

  /** Whether its next try is to fail. */
  boolean failsNext(int position) {
    return tried(position) < request.run().tasks().failures(task(position).ordinal());
  }

  /** The number of failed tries of a task, including those before it was handed on. */
  private int tried(int position) {
    return task(position).tried() + (tries.length == 0 ? 0 : tries[position]);
  }

  /** A child with the tasks at these positions and their failed tries. */
  Request child(int k, Positions of) {
    return request.child(k, of, this::tried);
  }

  /** Marks a task as failed without a try; it is not tried again. */
  void failed(int position, long now) {
    statuses[position] = TaskStatus.FAILED;
    started[position] = now;
    ended[position] = now;
  }

  /** Splits tasks into parts whose results fit into one message each, where possible. */
  List<Positions> parts(Positions of) {
    List<Positions> parts = new ArrayList<>(1);
    BitSet part = new BitSet();
    long bytes = HEADER_BYTES;
    for (int position : of.stream().toArray()) {
      int more = request.run().tasks().resultBytes(task(position).ordinal());
      if (!part.isEmpty() && bytes + more > Limits.FULL_BUNDLE_BYTES) {
        parts.add(Positions.of(part));
        part = new BitSet();
        bytes = HEADER_BYTES;
      }
      part.set(position);
      bytes += more;
    }
    parts.add(Positions.of(part));
    return parts;
  }

  /** The results of ended tasks. */
  ResultMessage results(Positions of, String worker, int slots, int attempt, long now) {
    return batch(of, null, worker, slots, attempt, now);
  }

  /** A result with the same status for each of these tasks, which did not run. */
  ResultMessage notRun(
      Positions of, TaskStatus status, String worker, int slots, int attempt, long now) {
    return batch(of, status, worker, slots, attempt, now);
  }

  private ResultMessage batch(
      Positions of, @Nullable TaskStatus all, String worker, int slots, int attempt, long now) {
    int[] positions = of.stream().toArray();
    int[] ordinals = new int[positions.length];
    TaskStatus[] ends = new TaskStatus[positions.length];
    long[] from = new long[positions.length];
    long[] to = new long[positions.length];
    int bytes = HEADER_BYTES;
    for (int i = 0; i < positions.length; i++) {
      int position = positions[i];
      ordinals[i] = task(position).ordinal();
      TaskStatus status = all == null ? statuses[position] : all;
      if (status == null) {
        throw new Violation("result of task %d of %s asked for before its end", position, request);
      }
      ends[i] = status;
      from[i] = started[position];
      to[i] = ended[position];
      bytes += request.run().tasks().resultBytes(ordinals[i]);
    }
    return new ResultMessage(
        request,
        worker,
        slots,
        Math.max(1, attempt),
        nonce,
        ordinals,
        ends,
        from,
        to,
        new ResultMessage.Stamps(
            delivery.sentAt(), receiveBegun, received, claimBegun, claimed, now),
        bytes,
        "");
  }

  @Override
  public String toString() {
    return request + "#" + key;
  }
}
