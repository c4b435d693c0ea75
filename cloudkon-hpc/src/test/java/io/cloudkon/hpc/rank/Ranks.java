package io.cloudkon.hpc.rank;

import io.cloudkon.core.handler.Communicator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;

/** The ranks of one job in this process, each on a virtual thread. */
final class Ranks {
  final List<Mailbox> mailboxes;
  private final List<Thread> threads = new ArrayList<>();

  Ranks(int size, long capacity) {
    this.mailboxes = IntStream.range(0, size).mapToObj(i -> new Mailbox(size, capacity)).toList();
  }

  /** What a rank does. */
  interface Body<T> {
    T run(Communicator world) throws Exception;
  }

  /** How one rank reaches the mailboxes. */
  interface Way {
    RankLink from(int rank, List<Mailbox> mailboxes);
  }

  /** Straight into the mailbox; waits in it for room. */
  static RankLink direct(int rank, List<Mailbox> mailboxes) {
    return (to, frame) -> offer(rank, mailboxes.get(to), frame);
  }

  static void offer(int from, Mailbox mailbox, byte[] frame) throws InterruptedException {
    while (mailbox.deliver(from, frame, Duration.ofMillis(50)) == Mailbox.Delivery.FULL) {
      Thread.onSpinWait();
    }
  }

  /** All ranks' answers, by rank. */
  static <T> List<T> all(int size, Body<T> body) {
    return all(size, Mailbox.DEFAULT_BYTES, Ranks::direct, body);
  }

  static <T> List<T> all(int size, long capacity, Way way, Body<T> body) {
    return new Ranks(size, capacity)
        .start(way, body).stream().map(CompletableFuture::join).toList();
  }

  <T> List<CompletableFuture<T>> start(Way way, Body<T> body) {
    List<CompletableFuture<T>> answers = new ArrayList<>();
    int size = mailboxes.size();
    for (int rank = 0; rank < size; rank++) {
      CompletableFuture<T> answer = new CompletableFuture<>();
      Communicator world =
          new RankCommunicator(rank, size, way.from(rank, mailboxes), mailboxes.get(rank));
      threads.add(
          Thread.ofVirtual()
              .name("rank-" + rank)
              .start(() -> {
                try {
                  answer.complete(body.run(world));
                } catch (Throwable t) {
                  answer.completeExceptionally(t);
                }
              }));
      answers.add(answer);
    }
    return answers;
  }

  Thread thread(int rank) {
    return threads.get(rank);
  }

  void interruptAll() {
    threads.forEach(Thread::interrupt);
  }

  static Throwable failure(CompletableFuture<?> answer) {
    return answer
        .handle((value, thrown) -> thrown instanceof CompletionException c ? c.getCause() : thrown)
        .join();
  }
}
