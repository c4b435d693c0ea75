package io.cloudkon.core.memory;

import io.cloudkon.core.port.InstanceLauncher;
import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.port.LaunchedInstance.State;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A place where instances are launched, in this process: with as much room as it is told, boots and
 * listings as slow as it is told, and answers that are lost. Thread safe.
 */
public final class MemoryInstanceLauncher implements InstanceLauncher {
  private static final String TYPE = "memory";

  private final TimeSource time;
  private final Map<String, Call> calls = new LinkedHashMap<>();
  private final Map<String, Instance> instances = new LinkedHashMap<>();
  private final Deque<Failure> refusals = new ArrayDeque<>();
  private Consumer<LaunchedInstance> starts = instance -> {};
  private Map<String, String> request = Map.of("image", "1");
  private int room = Integer.MAX_VALUE;
  private int lostAnswers;
  private long bootMillis;
  private long unlistedMillis;

  /** A place with endless room, where all happens at once. */
  public MemoryInstanceLauncher(TimeSource time) {
    this.time = time;
  }

  private record Call(int count, Map<String, String> request, Launch launch) {}

  private static final class Instance {
    private final String id;
    private final String launch;
    private final long since;
    private final long runningFrom;
    private final long listedFrom;
    private boolean ended;

    private Instance(String id, String launch, long since, long boot, long unlisted) {
      this.id = id;
      this.launch = launch;
      this.since = since;
      this.runningFrom = since + boot;
      this.listedFrom = since + unlisted;
    }

    private LaunchedInstance at(long now) {
      State state = ended ? State.ENDED : now < runningFrom ? State.PENDING : State.RUNNING;
      return new LaunchedInstance(id, launch, TYPE, "", state, since);
    }
  }

  /** So many instances may exist at a time; what is asked for beyond that is refused. */
  public synchronized void room(int most) {
    room = most;
  }

  /** The next launch under a new token is refused, all of it. */
  public synchronized void refuse(Failure failure) {
    refusals.add(failure);
  }

  /** The answers to so many launches are lost after they have happened. */
  public synchronized void loseAnswers(int number) {
    lostAnswers = number;
  }

  /** Sets how long instances that are launched from now on are pending. */
  public synchronized void bootTime(Duration boot) {
    bootMillis = boot.toMillis();
  }

  /** Sets how long instances that are launched from now on are missing in the list. */
  public synchronized void listDelay(Duration delay) {
    unlistedMillis = delay.toMillis();
  }

  /** Sets the request of later launches. */
  public synchronized void request(Map<String, String> next) {
    request = Map.copyOf(next);
  }

  /** Told of each instance that is launched, in the launching thread. */
  public synchronized void onStart(Consumer<LaunchedInstance> told) {
    starts = told;
  }

  /** An instance ends by itself. */
  public synchronized void end(String id) {
    Instance instance = instances.get(id);
    if (instance != null) {
      instance.ended = true;
    }
  }

  /** How many instances were ever launched. */
  public synchronized int launched() {
    return instances.size();
  }

  /** How many instances exist now. */
  public synchronized int existing() {
    return (int) instances.values().stream().filter(instance -> !instance.ended).count();
  }

  @Override
  public synchronized String explanation(String id) {
    Instance instance = instances.get(id);
    return instance == null ? "" : "it is " + instance.at(time.serviceMillis()).state();
  }

  @Override
  public String name() {
    return TYPE;
  }

  @Override
  public synchronized Map<String, String> request() {
    return request;
  }

  @Override
  public synchronized Launch launch(String token, int count, Map<String, String> asked) {
    Call known = calls.get(token);
    if (known != null && (known.count() != count || !known.request().equals(asked))) {
      return new Launch(
          List.of(),
          List.of(
              new Failure(
                  Failure.Kind.CONFIGURATION,
                  "token-mismatch",
                  "token '%s' belongs to another request".formatted(token))));
    }
    if (known == null) {
      known = new Call(count, Map.copyOf(asked), grant(token, count));
      calls.put(token, known);
    }
    if (lostAnswers > 0) {
      lostAnswers--;
      throw new TransientServiceException("launch '%s': its answer is lost".formatted(token), null);
    }
    return known.launch();
  }

  private Launch grant(String token, int count) {
    Failure refusal = refusals.poll();
    if (refusal != null) {
      return new Launch(List.of(), List.of(refusal));
    }
    long now = time.serviceMillis();
    List<LaunchedInstance> granted = new ArrayList<>();
    while (granted.size() < count && existing() < room) {
      String id = "m-%04d".formatted(instances.size() + 1);
      Instance instance = new Instance(id, token, now, bootMillis, unlistedMillis);
      instances.put(id, instance);
      granted.add(instance.at(now));
    }
    granted.forEach(starts);
    List<Failure> failures =
        granted.size() == count
            ? List.of()
            : List.of(
                new Failure(
                    Failure.Kind.CAPACITY,
                    "no-room",
                    "there is room for %d instances".formatted(room)));
    return new Launch(granted, failures);
  }

  @Override
  public synchronized List<LaunchedInstance> instances() {
    long now = time.serviceMillis();
    return instances.values().stream()
        .filter(instance -> now >= instance.listedFrom)
        .map(instance -> instance.at(now))
        .toList();
  }

  @Override
  public synchronized void terminate(List<String> ids) {
    ids.forEach(this::end);
  }
}
