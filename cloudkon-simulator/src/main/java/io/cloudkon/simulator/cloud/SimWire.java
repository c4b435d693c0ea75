package io.cloudkon.simulator.cloud;

import io.cloudkon.core.time.Moment;
import io.cloudkon.simulator.engine.SimProcess;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Calls between workers, which take time, get lost, arrive late, or fail to reach a worker. */
public final class SimWire {
  /** The time after which the caller gives up. */
  private static final long TIMEOUT = 2_000_000;

  /** The latency of a call within one worker. */
  private static final long HERE = 50;

  private final Network network;
  private final Map<String, Peer> peers = new HashMap<>();

  /** Until when no other worker reaches a door, by worker; microseconds. */
  private final Map<String, Long> shut = new HashMap<>();

  /** Until when calls at a door take longer than callers wait, by worker; microseconds. */
  private final Map<String, Long> slow = new HashMap<>();

  /** The workers whose doors others have reached. */
  private final Set<String> reached = new HashSet<>();

  private record Peer(SimProcess process, RankDoor door) {}

  /** A call at another worker's door. */
  @FunctionalInterface
  public interface Question<A> {
    void at(RankDoor door, Reply<A> reply);
  }

  /** Passes on only the first answer. */
  private static final class Once<A> implements Reply<A> {
    private final Reply<A> reply;
    private boolean answered;

    Once(Reply<A> reply) {
      this.reply = reply;
    }

    @Override
    public void of(@Nullable A answer) {
      if (!answered) {
        answered = true;
        reply.of(answer);
      }
    }
  }

  SimWire(Network network) {
    this.network = network;
  }

  /** Makes a worker reachable by its name. */
  public void open(SimProcess process, RankDoor door) {
    peers.put(process.name(), new Peer(process, door));
  }

  /**
   * Keeps other workers from reaching this worker's door for this time, as a firewall does. Its own
   * calls work.
   */
  public void shut(SimProcess process, long micros) {
    process.says("cannot be called by others for %d ms".formatted(micros / 1000));
    long until = network.timeline().now() + micros;
    shut.merge(process.name(), until, Math::max);
    if (reached.contains(process.name())) {
      // Others rely on what they have found before.
      process.disturbed(network.timeline().now());
    }
  }

  /**
   * Lets other workers' calls at this worker's door take longer than they wait, as first calls
   * between programs that have just started do.
   */
  public void slow(SimProcess process, long micros) {
    slow.merge(process.name(), network.timeline().now() + micros, Math::max);
  }

  private boolean isShut(String worker) {
    return shut.getOrDefault(worker, Long.MIN_VALUE) > network.timeline().now();
  }

  private boolean isSlow(String worker) {
    return slow.getOrDefault(worker, Long.MIN_VALUE) > network.timeline().now();
  }

  /** The processes of these workers. */
  public List<SimProcess> processes(Collection<String> workers) {
    return peers.values().stream()
        .map(Peer::process)
        .filter(process -> workers.contains(process.name()))
        .toList();
  }

  /** Makes a call; the answer is null if none came in time. */
  public <A> void ask(
      SimProcess caller, String to, Supplier<String> what, Question<A> question, Reply<A> reply) {
    Once<A> once = new Once<>(reply);
    boolean here = caller.name().equals(to);
    long oneWay = here ? HERE : network.oneWay(Call.RMI);
    Fate fate = here ? Fate.CARRIED_OUT : network.faults().fate(Call.RMI);
    caller.in(TIMEOUT, () -> timesOut(caller, to, once));
    network
        .timeline()
        .in(
            oneWay,
            () ->
                caller.reachesService(
                    () -> "asks %s: %s".formatted(to, what.get()),
                    () -> arrives(caller, to, question, once, oneWay, fate)));
  }

  /** Whether a call without an answer that began then had no answer in time. */
  public static boolean timedOut(Moment begun, Moment now) {
    return now.mono() - begun.mono()
        > TIMEOUT / 2_000; // in milliseconds, by a clock that may run slow
  }

  private void timesOut(SimProcess caller, String to, Once<?> once) {
    if (!once.answered) {
      long now = network.timeline().now();
      caller.disturbed(now);
      processes(List.of(to)).forEach(process -> process.disturbed(now));
    }
    once.of(null);
  }

  private <A> void arrives(
      SimProcess caller, String to, Question<A> question, Once<A> once, long back, Fate fate) {
    Peer peer = peers.get(to);
    boolean here = caller.name().equals(to);
    if (peer == null || peer.process().dead() || (!here && isShut(to))) {
      caller.in(back, () -> once.of(null));
      return;
    }
    if (!here && isSlow(to)) {
      return;
    }
    if (!here) {
      reached.add(to);
    }
    boolean silent = fate == Fate.ANSWER_LOST || fate == Fate.EFFECT_LATE;
    Reply<A> answered =
        answer -> {
          if (!silent) {
            network.timeline().in(back, () -> caller.in(0, () -> once.of(answer)));
          }
        };
    switch (fate) {
      case THROTTLED -> {}
      case EFFECT_LATE, COPIED ->
          peer.process().in(network.faults().lateness(), () -> question.at(peer.door(), answered));
      case CARRIED_OUT, ANSWER_LOST, RETRIED ->
          peer.process().in(0, () -> question.at(peer.door(), answered));
    }
  }

  /** Sends a message without waiting for an answer. */
  public void tell(
      SimProcess caller, String to, Supplier<String> what, Consumer<RankDoor> message) {
    this.<Boolean>ask(
        caller,
        to,
        what,
        (door, reply) -> {
          message.accept(door);
          reply.of(true);
        },
        answer -> {});
  }
}
