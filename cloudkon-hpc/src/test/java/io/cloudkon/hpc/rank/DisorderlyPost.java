package io.cloudkon.hpc.rank;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Delivers frames in an order of its own, and some of them twice, by a seed. */
final class DisorderlyPost implements AutoCloseable {
  private final Random random;
  private final List<Letter> letters = new ArrayList<>();
  private final Thread courier = Thread.ofVirtual().name("courier").unstarted(this::deliver);

  private record Letter(int from, Mailbox to, byte[] frame) {}

  DisorderlyPost(long seed) {
    this.random = new Random(seed);
    courier.start();
  }

  RankLink link(int rank, List<Mailbox> mailboxes) {
    return (to, frame) -> post(new Letter(rank, mailboxes.get(to), frame));
  }

  private synchronized void post(Letter letter) {
    letters.add(letter);
    if (random.nextInt(3) == 0) {
      letters.add(letter);
    }
    notifyAll();
  }

  private void deliver() {
    try {
      while (true) {
        Letter letter = next();
        Ranks.offer(letter.from(), letter.to(), letter.frame());
      }
    } catch (InterruptedException e) {
      // the test is over
    }
  }

  private synchronized Letter next() throws InterruptedException {
    while (letters.isEmpty()) {
      wait();
    }
    return letters.remove(random.nextInt(letters.size()));
  }

  @Override
  public void close() throws InterruptedException {
    courier.interrupt();
    courier.join();
  }
}
