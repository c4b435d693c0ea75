package io.cloudkon.worker.service;

import io.cloudkon.core.codec.ResultCodec;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.worker.execute.TaskInterruptedException;
import io.cloudkon.worker.execute.TaskOutcome;
import io.cloudkon.worker.execute.TaskRunner;
import io.cloudkon.worker.monitor.WorkerStats;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.pipeline.Inbox;
import java.util.BitSet;
import java.util.concurrent.LinkedBlockingQueue;

/** One slot: a virtual thread that runs the tasks it is given, one after the other. */
final class Slot implements AutoCloseable {
  private record Assignment(BundleInHand inHand, Positions tasks) {}

  private final int number;
  private final TaskRunner runner;
  private final WorkerStats stats;
  private final Inbox inbox;
  private final LinkedBlockingQueue<Assignment> assigned = new LinkedBlockingQueue<>(1);
  private final Thread thread;

  Slot(int number, TaskRunner runner, WorkerStats stats, Inbox inbox) {
    this.number = number;
    this.runner = runner;
    this.stats = stats;
    this.inbox = inbox;
    this.thread = Thread.ofVirtual().name("cloudkon-slot-" + number).start(this::work);
  }

  /** Gives it work; the slot must be free. */
  void run(BundleInHand inHand, Positions tasks) {
    assigned.add(new Assignment(inHand, tasks));
  }

  private void work() {
    try {
      while (true) {
        Assignment assignment = assigned.take();
        inbox.post(run(assignment));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private WorkerEvent run(Assignment assignment) {
    BundleInHand inHand = assignment.inHand();
    BitSet finished = new BitSet();
    BitSet notStarted = new BitSet();
    BitSet killed = new BitSet();
    Samples samples = new Samples();
    long bytes = 0;
    int[] positions = assignment.tasks().stream().toArray();
    for (int position : positions) {
      if (inHand.interruption().killed()) {
        notStarted.set(position);
        continue;
      }
      Task task = inHand.task(position);
      try {
        TaskOutcome outcome = runner.run(inHand.header().run(), task, inHand.interruption());
        TaskResult result = Outcomes.result(task, outcome, inHand.header().captureBytes());
        inHand.result(position, result);
        finished.set(position);
        bytes += ResultCodec.sizeOf(result);
        samples.add(task.work(), outcome.finishedMicros() - outcome.startedMicros());
      } catch (TaskInterruptedException e) {
        killed.set(position);
      }
    }
    stats.finished(finished.cardinality());
    return new WorkerEvent.SlotFree(
        number,
        inHand.key(),
        Positions.of(finished),
        bytes,
        Positions.of(notStarted),
        Positions.of(killed),
        samples.list());
  }

  /** Ends the thread; what it runs is expected to have been stopped before. */
  @Override
  public void close() throws InterruptedException {
    thread.interrupt();
    thread.join();
  }
}
