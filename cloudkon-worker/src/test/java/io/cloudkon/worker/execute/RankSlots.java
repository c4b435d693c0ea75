package io.cloudkon.worker.execute;

import io.cloudkon.core.handler.Communicator;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Task;
import io.cloudkon.hpc.rank.Mailbox;
import io.cloudkon.hpc.rank.RankCommunicator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

/** All ranks of one job on slots of one runner, and how they reach each other. */
final class RankSlots {
  private final Runs runs;
  private final Task job;
  private final TaskEnvironment around;
  private final List<Mailbox> mailboxes;
  final List<Thread> slots = new CopyOnWriteArrayList<>();

  RankSlots(Runs runs, Task job, int size) {
    this(runs, job, size, TaskEnvironment.bare("a-run", Limits.CAPTURE_BYTES));
  }

  RankSlots(Runs runs, Task job, int size, TaskEnvironment around) {
    this.runs = runs;
    this.job = job;
    this.around = around;
    this.mailboxes = IntStream.range(0, size).mapToObj(i -> new Mailbox(size)).toList();
  }

  List<CompletableFuture<TaskOutcome>> start() {
    return start(IntStream.range(0, mailboxes.size()).mapToObj(i -> "").toList());
  }

  /** With the lines that mpiexec wants run, or empty ones. */
  List<CompletableFuture<TaskOutcome>> start(List<String> lines) {
    return IntStream.range(0, mailboxes.size())
        .mapToObj(rank -> start(rank, lines.get(rank)))
        .toList();
  }

  List<TaskOutcome> run() {
    return start().stream().map(CompletableFuture::join).toList();
  }

  CompletableFuture<TaskOutcome> start(int rank, String line) {
    RankPlace place = new RankPlace("job-7", rank, mailboxes.size(), world(rank), line);
    CompletableFuture<TaskOutcome> outcome = new CompletableFuture<>();
    slots.add(
        Thread.ofVirtual()
            .name("slot-" + rank)
            .start(() -> {
              try {
                outcome.complete(runs.runner.run(around, job, runs.interruption, place));
              } catch (Throwable t) {
                outcome.completeExceptionally(t);
              }
            }));
    return outcome;
  }

  private Communicator world(int rank) {
    return new RankCommunicator(
        rank,
        mailboxes.size(),
        (to, frame) -> mailboxes.get(to).deliver(rank, frame),
        mailboxes.get(rank));
  }
}
