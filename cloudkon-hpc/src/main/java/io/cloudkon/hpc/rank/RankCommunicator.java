package io.cloudkon.hpc.rank;

import io.cloudkon.core.handler.Communicator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.DoubleBinaryOperator;

/**
 * The communicator of one rank, based on a link to the other ranks and the rank's own mailbox. Only
 * for the rank's thread, and for one attempt of one job.
 *
 * <p>Collective calls use binomial trees, so that n ranks need about log2(n) steps and send n - 1
 * messages in each direction: R. Thakur, R. Rabenseifner, W. Gropp, Optimization of Collective
 * Communication Operations in MPICH, International Journal of High Performance Computing
 * Applications 19(1), 2005. The root of a reduction's tree is always rank 0, as theirs is for
 * operators that do not commute: each step combines neighbouring blocks of ranks, with the lower
 * block on the left. So the result depends only on the number of ranks, never on the order of
 * arrival.
 */
public final class RankCommunicator implements Communicator {
  private static final byte[] NOTHING = {};
  private static final double[] NO_VALUES = {};

  private final int rank;
  private final int size;
  private final RankLink link;
  private final Mailbox mailbox;

  /**
   * The rank's messages to itself. They have room of their own, because the rank cannot wait for
   * room that only itself can make.
   */
  private final Mailbox own;

  /** How many frames were sent to each rank; without those to which none was sent. */
  private final Map<Integer, Long> sent = new HashMap<>();

  private int calls;

  /**
   * A communicator that has sent and received nothing yet.
   *
   * @param rank from 0
   * @param size the number of ranks
   * @param link to the other ranks
   * @param mailbox this rank's mailbox, created for the same number of ranks
   */
  public RankCommunicator(int rank, int size, RankLink link, Mailbox mailbox) {
    if (rank < 0 || rank >= size) {
      throw new IllegalArgumentException(noSuch(rank, size));
    }
    this.rank = rank;
    this.size = size;
    this.link = link;
    this.mailbox = mailbox;
    this.own = mailbox.another();
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public void send(int to, byte[] message) throws InterruptedException {
    check(to);
    send(to, Channel.DIRECT, Objects.requireNonNull(message, "message"));
  }

  @Override
  public byte[] receive(int from) throws InterruptedException {
    check(from);
    return (from == rank ? own : mailbox).take(from, Channel.DIRECT);
  }

  @Override
  public void barrier() throws InterruptedException {
    Collective call = begin(Collective.Kind.BARRIER, 0);
    double[] _ = up(call, NO_VALUES, Double::sum);
    byte[] _ = down(call, 0, NOTHING);
  }

  @Override
  public byte[] broadcast(int root, byte[] message) throws InterruptedException {
    check(root);
    return down(begin(Collective.Kind.BROADCAST, root), root, message);
  }

  @Override
  public double[] reduce(int root, double[] values, DoubleBinaryOperator operator)
      throws InterruptedException {
    check(root);
    Collective call = begin(Collective.Kind.REDUCE, root);
    double[] combined = up(call, values, operator);
    if (root == 0) {
      return combined;
    }
    if (rank == 0) {
      give(call, root, Doubles.bytes(combined));
    }
    return rank == root ? Doubles.of(take(call, 0)) : NO_VALUES;
  }

  @Override
  public double[] allReduce(double[] values, DoubleBinaryOperator operator)
      throws InterruptedException {
    Collective call = begin(Collective.Kind.ALL_REDUCE, 0);
    double[] combined = up(call, values, operator);
    return Doubles.of(down(call, 0, Doubles.bytes(combined)));
  }

  @Override
  public List<byte[]> gather(int root, byte[] message) throws InterruptedException {
    check(root);
    Collective call = begin(Collective.Kind.GATHER, root);
    // places are counted from the root; the subtree of a place is a block of places that follow it
    int place = Math.floorMod(rank - root, size);
    List<byte[]> block = new ArrayList<>();
    block.add(message.clone());
    for (int step = 1; step < size; step <<= 1) {
      if ((place & step) != 0) {
        give(call, at(place - step, root), Parcel.pack(block));
        return List.of();
      }
      if (place + step < size) {
        block.addAll(Parcel.unpack(take(call, at(place + step, root))));
      }
    }
    Collections.rotate(block, root);
    return List.copyOf(block);
  }

  /** Combines all values in order toward rank 0; the other ranks get no result. */
  private double[] up(Collective call, double[] values, DoubleBinaryOperator operator)
      throws InterruptedException {
    double[] combined = values.clone();
    for (int step = 1; step < size; step <<= 1) {
      if ((rank & step) != 0) {
        give(call, rank - step, Doubles.bytes(combined));
        return NO_VALUES;
      }
      if (rank + step < size) {
        int from = rank + step;
        Doubles.combine(combined, Doubles.of(take(call, from)), operator, rank, from);
      }
    }
    return combined;
  }

  /** Sends a message from the root to all ranks. */
  private byte[] down(Collective call, int root, byte[] message) throws InterruptedException {
    int place = Math.floorMod(rank - root, size);
    int step = 1;
    byte[] mine = message;
    while (step < size && (place & step) == 0) {
      step <<= 1;
    }
    if (place != 0) {
      mine = take(call, at(place - step, root));
    }
    for (step >>= 1; step > 0; step >>= 1) {
      if (place + step < size) {
        give(call, at(place + step, root), mine);
      }
    }
    return mine;
  }

  private int at(int place, int root) {
    return (place + root) % size;
  }

  private Collective begin(Collective.Kind kind, int root) {
    return new Collective(calls++, kind, root);
  }

  private void give(Collective call, int to, byte[] body) throws InterruptedException {
    send(to, Channel.COLLECTIVE, call.wrap(body));
  }

  private byte[] take(Collective call, int from) throws InterruptedException {
    return call.unwrap(rank, from, mailbox.take(from, Channel.COLLECTIVE));
  }

  private void send(int to, Channel channel, byte[] body) throws InterruptedException {
    long number = sent.merge(to, 1L, Long::sum) - 1;
    byte[] frame = new Frame(number, channel, body).encode();
    if (to != rank) {
      link.send(to, frame);
    } else if (own.deliver(rank, frame) == Mailbox.Delivery.FULL) {
      throw new IllegalStateException(
          "rank %d sent itself more than its mailbox holds: it must receive first".formatted(rank));
    }
  }

  private void check(int other) {
    if (other < 0 || other >= size) {
      throw new IllegalArgumentException(noSuch(other, size));
    }
  }

  private static String noSuch(int rank, int size) {
    return "there is no rank %d among %d ranks, they are 0 to %d".formatted(rank, size, size - 1);
  }
}
