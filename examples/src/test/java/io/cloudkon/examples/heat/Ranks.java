package io.cloudkon.examples.heat;

import io.cloudkon.core.handler.RankHandler;
import io.cloudkon.hpc.rank.Mailbox;
import io.cloudkon.hpc.rank.RankCommunicator;
import io.cloudkon.hpc.rank.RankLink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** Runs a handler's ranks on threads of this process. */
final class Ranks {
  private static final Duration ROOM = Duration.ofMinutes(1);

  private Ranks() {}

  /** What each rank answers; what the first failed one throws. */
  static List<byte[]> run(int size, RankHandler handler, List<String> args) throws Exception {
    List<Mailbox> mailboxes = IntStream.range(0, size).mapToObj(rank -> new Mailbox(size)).toList();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<byte[]>> running = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        int rank = i;
        RankLink link = (to, frame) -> mailboxes.get(to).deliver(rank, frame, ROOM);
        RankCommunicator world = new RankCommunicator(rank, size, link, mailboxes.get(rank));
        running.add(threads.submit(() -> handler.run(world, args)));
      }
      List<byte[]> answers = new ArrayList<>();
      for (Future<byte[]> rank : running) {
        answers.add(rank.get());
      }
      return answers;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }
}
