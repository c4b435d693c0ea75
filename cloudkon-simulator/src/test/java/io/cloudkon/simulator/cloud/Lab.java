package io.cloudkon.simulator.cloud;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.protocol.capacity.Waiting;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.simulator.engine.CrashPoint;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.engine.Timeline;
import io.cloudkon.simulator.engine.Trace;
import io.cloudkon.simulator.load.Request;
import io.cloudkon.simulator.load.ResultMessage;
import io.cloudkon.simulator.load.SimRun;
import io.cloudkon.simulator.load.SleepTasks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Services for one test, with virtual time that the test turns. */
final class Lab {
  static final long SECOND = 1_000_000;
  static final long HOUR = 3600 * SECOND;

  /** A message of a test's queue has as many bytes as its text says before the first blank. */
  private static final int BYTES = 100;

  final Timeline timeline = new Timeline();
  final CallCounts counts = new CallCounts();
  final Network network;
  final CloudSettings settings;
  final Watch watch = new Watch();
  final SimProcess caller;
  private final SplittableRandom random;

  Lab(CloudSettings settings, long seed) {
    this.settings = settings;
    random = new SplittableRandom(seed);
    network =
        new Network(
            timeline,
            random.split(),
            settings.latencies(),
            new Faults(settings.faults(), timeline, random.split()),
            counts);
    caller = process("caller");
  }

  /** With nothing going wrong, and calls that take no time. */
  Lab() {
    this(instant(), 1);
  }

  static CloudSettings instant() {
    return CloudSettings.calm(Latencies.all(Latency.always(0)));
  }

  /** What goes wrong the whole time. */
  static FaultSettings faults(double duplicated, double limbo, double partial) {
    return new FaultSettings(
        Map.of(), SECOND, duplicated, limbo, partial, List.of(), Long.MAX_VALUE);
  }

  SimProcess process(String name) {
    return new SimProcess(
        timeline,
        new Trace(timeline, null),
        random.split(),
        name,
        CrashPoint.NEVER,
        SimProcess.Clocks.RIGHT);
  }

  /** A request queue of texts, each as large as the number that it begins with, or 100 bytes. */
  SimQueue<String> queue() {
    return new SimQueue<>(
        "Q",
        network,
        settings,
        QueueCalls.REQUESTS,
        Lab::bytes,
        watch.accepted::add,
        watch.lost::add,
        random.split());
  }

  private static int bytes(String text) {
    int blank = text.indexOf(' ');
    return blank < 0 ? BYTES : Integer.parseInt(text.substring(0, blank));
  }

  SimClaims claims(ClaimLaw law) {
    return new SimClaims(network, settings, law, watch);
  }

  static Request request(String id) {
    return request(id, 8);
  }

  static Request request(String id, int tasks) {
    SimRun run =
        new SimRun(
            0,
            id.substring(0, id.indexOf('/')),
            Consistency.EXACTLY_ONCE,
            new SleepTasks(tasks, 1));
    BundleHeader header =
        new BundleHeader(run.id(), SimRun.EPOCH, id, "Q-response", run.consistency(), 0, 0, 0, 0);
    return Request.of(
        run, new Bundle(header, IntStream.range(0, tasks).mapToObj(run.tasks()::task).toList()));
  }

  /** Lets so much time pass, and what falls into it happen. */
  void pass(long micros) {
    boolean[] there = new boolean[1];
    timeline.in(micros, () -> there[0] = true);
    while (!there[0]) {
      timeline.step();
    }
  }

  /** Lets happen what is due now, and what follows from it without taking time. */
  void settle() {
    for (int i = 0; i < 5; i++) {
      pass(0);
    }
  }

  /** An answer, once it is there. */
  final class Awaited<T> implements Reply<T> {
    private int answers;
    private @Nullable T value;
    private long at;

    @Override
    public void of(@Nullable T answer) {
      answers++;
      value = answer;
      at = timeline.now();
    }

    boolean there() {
      if (answers > 1) {
        throw new AssertionError("answered " + answers + " times");
      }
      return answers == 1;
    }

    /** When it came, in microseconds. */
    long at() {
      return at;
    }

    /** Whether the call failed. */
    boolean failed() {
      return there() && value == null;
    }

    /** The answer, for which time is turned as far as need be. */
    T get() {
      while (!there()) {
        timeline.step();
      }
      if (value == null) {
        throw new AssertionError("the call failed");
      }
      return value;
    }

    /** Waits until it is there, whatever it is. */
    Awaited<T> await() {
      while (!there()) {
        timeline.step();
      }
      return this;
    }
  }

  /** Remembers what it was told. */
  static final class Watch implements CloudWatch {
    final List<Object> accepted = new ArrayList<>();
    final List<ResultMessage> stored = new ArrayList<>();
    final List<Object> lost = new ArrayList<>();
    final List<Claim> claims = new ArrayList<>();
    final List<Request> forgotten = new ArrayList<>();

    @Override
    public void claimed(Request of, @Nullable Claim before, Claim after) {
      claims.add(after);
    }

    @Override
    public void givenBackSick(String bundle, int workers) {}

    @Override
    public void lettered(Request letter) {}

    @Override
    public void replied(ResultMessage results, long micros) {
      accepted.add(results);
    }

    @Override
    public void stored(ResultMessage results, long micros) {
      stored.add(results);
    }

    @Override
    public void gone(ResultMessage results) {
      lost.add(results);
    }

    @Override
    public void ledgerRead(List<Waiting> waiting) {}

    @Override
    public void runWritten(RunEntry entry, long micros) {}

    @Override
    public void forgotten(Request of) {
      forgotten.add(of);
    }
  }

  // ---- calls, as one process makes them

  Awaited<Sent> send(SimQueue<String> queue, String... texts) {
    Awaited<Sent> answer = new Awaited<>();
    queue.send(caller, List.of(texts), answer);
    return answer;
  }

  Awaited<List<Delivery<String>>> receive(
      SimQueue<String> queue, int max, long waitMicros, long hideMicros) {
    Awaited<List<Delivery<String>>> answer = new Awaited<>();
    queue.receive(caller, max, waitMicros, hideMicros, answer);
    return answer;
  }

  /** Receives up to ten at once, for an hour. */
  List<Delivery<String>> receive(SimQueue<String> queue) {
    return receive(queue, 10, 0, HOUR).get();
  }

  /** Receives the only one there is. */
  Delivery<String> receiveOne(SimQueue<String> queue, long hideMicros) {
    return receive(queue, 1, 0, hideMicros).get().getFirst();
  }

  Awaited<Sent> delete(SimQueue<String> queue, List<Delivery<String>> batch) {
    Awaited<Sent> answer = new Awaited<>();
    queue.delete(caller, batch, answer);
    return answer;
  }

  boolean hide(SimQueue<String> queue, Delivery<String> delivery, long micros) {
    Awaited<Sent> answer = new Awaited<>();
    queue.hide(caller, delivery, micros, answer);
    return answer.get().refused().isEmpty();
  }
}
