package io.cloudkon.provisioner.launch;

import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.port.InstanceLauncher;
import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.port.LaunchedInstance.State;
import io.cloudkon.core.price.InstanceTypes;
import io.cloudkon.core.time.TimeSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Launches workers as processes on this machine, each in its own process group. A launch's token is
 * a file in the cluster's folder that is created exclusively, and each worker has a file there that
 * it links before it becomes a worker. So among all provisioners of this user on this machine no
 * launch happens twice, whichever process dies at any moment. Thread safe.
 *
 * <p>Each worker holds a pipe from this process. When this process ends, for whatever reason, the
 * pipe is closed and the worker drains.
 */
public final class ProcessLauncher implements InstanceLauncher, AutoCloseable {
  /** The name of this launcher and the type of its workers. */
  public static final String NAME = InstanceTypes.PROCESS;

  /** The keys of a request: the command, and the only machine on which it can be carried out. */
  private static final String COMMAND = "command";

  private static final String LOGS = "logs";
  private static final String PLACE = "place";

  /** An ended launch is forgotten after this time, which is also how long EC2 keeps its tokens. */
  private static final long KEPT_MILLIS = Duration.ofDays(1).toMillis();

  private static final Logger LOG = LoggerFactory.getLogger(ProcessLauncher.class);

  private final LaunchFolder folder;
  private final WorkerStart workers;
  private final Terminations terminations;
  private final TimeSource time;
  private final String logs;
  private final String place;
  private final Map<String, String> request;

  /**
   * The processes that this launcher started. Their pipes stay open as long as they are in this
   * map.
   */
  private final Map<String, Process> started = new ConcurrentHashMap<>();

  /** The instances that are known to have ended, so that their files need not be read again. */
  private final Set<String> ended = ConcurrentHashMap.newKeySet();

  /**
   * A launcher that has launched nothing yet.
   *
   * @param state the cluster's folder; created if it does not exist
   * @param logs the folder for the workers' output, one file each; created if it does not exist
   * @param place this machine's name
   * @param command the command of each worker, for {@code /bin/sh -c}
   * @throws IOException if this machine cannot start processes in their own groups
   * @throws UsageException if a folder cannot be used
   */
  public ProcessLauncher(Path state, Path logs, String place, String command, TimeSource time)
      throws IOException {
    this(state, logs, place, command, time, new WorkerShell());
  }

  ProcessLauncher(
      Path state, Path logs, String place, String command, TimeSource time, WorkerStart workers) {
    this.folder = LaunchFolder.open(state);
    this.time = time;
    this.workers = workers;
    this.terminations = new Terminations(time);
    this.logs = made(logs).toString();
    this.place = place + ":" + folder.path();
    this.request = Map.of(COMMAND, command, LOGS, this.logs, PLACE, this.place);
  }

  private static Path made(Path logs) {
    try {
      return Files.createDirectories(logs);
    } catch (IOException e) {
      throw new UsageException(
          "--logs %s: the folder cannot be created: %s; name another one"
              .formatted(logs, FileTrouble.words(e)),
          e);
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Map<String, String> request() {
    return request;
  }

  @Override
  public boolean serves(Map<String, String> asked) {
    return place.equals(asked.get(PLACE));
  }

  /** Withdraws a launch reliably, because a launch first claims the token's file. */
  @Override
  public synchronized boolean withdraw(String token) {
    return folder.claim(token, new LaunchOrder(0, time.serviceMillis(), Map.of()))
        || folder.order(token).filter(order -> order.count() == 0).isPresent();
  }

  @Override
  public synchronized Launch launch(String token, int count, Map<String, String> asked) {
    if (!serves(asked)) {
      return refused(
          "other-machine",
          "the launch belongs to %s, but this is %s".formatted(asked.get(PLACE), place));
    }
    LaunchOrder order = new LaunchOrder(count, time.serviceMillis(), asked);
    if (!folder.claim(token, order)) {
      order = folder.order(token).orElse(order);
      if (!order.asks(count, asked)) {
        return refused("token-mismatch", "token '%s' belongs to another request".formatted(token));
      }
    }
    List<LaunchedInstance> granted = new ArrayList<>();
    List<Failure> failures = new ArrayList<>();
    for (String id : LaunchOrder.instances(token, count)) {
      start(token, id, order, granted, failures);
    }
    return new Launch(granted, failures);
  }

  private static Launch refused(String code, String message) {
    return new Launch(List.of(), List.of(new Failure(Failure.Kind.CONFIGURATION, code, message)));
  }

  private void start(
      String token,
      String id,
      LaunchOrder order,
      List<LaunchedInstance> granted,
      List<Failure> failures) {
    if (!started.containsKey(id) && !folder.settled(id)) {
      Path log = Path.of(order.request().getOrDefault(LOGS, "."), id + ".log");
      try {
        String command = order.request().getOrDefault(COMMAND, "");
        started.put(id, workers.start(token, id, folder.instance(id), log, command));
      } catch (IOException e) {
        LOG.debug("worker {} cannot be started", id, e);
        folder.refuse(id);
        failures.add(
            new Failure(Failure.Kind.CAPACITY, "no-process", "a process cannot be started: " + e));
        return;
      }
    }
    State state = state(id);
    if (started.containsKey(id) || folder.process(id).isPresent()) {
      granted.add(instance(token, id, state, order.atMillis()));
    } else {
      failures.add(
          new Failure(Failure.Kind.CAPACITY, "no-process", "a process could not be started"));
    }
  }

  @Override
  public synchronized List<LaunchedInstance> instances() {
    List<LaunchedInstance> all = new ArrayList<>();
    for (String token : folder.tokens()) {
      folder.order(token).ifPresent(order -> all.addAll(instances(token, order)));
    }
    terminations.insist(this::process);
    return all;
  }

  private List<LaunchedInstance> instances(String token, LaunchOrder order) {
    List<String> ids = LaunchOrder.instances(token, order.count());
    List<LaunchedInstance> found =
        ids.stream()
            .filter(this::known)
            .map(id -> instance(token, id, state(id), order.atMillis()))
            .toList();
    boolean over = found.stream().allMatch(instance -> instance.state() == State.ENDED);
    if (over && order.atMillis() + KEPT_MILLIS < time.serviceMillis()) {
      folder.forget(token, ids);
      ids.forEach(ended::remove);
      ids.forEach(started::remove);
      return List.of();
    }
    return found;
  }

  private boolean known(String id) {
    return ended.contains(id) || started.containsKey(id) || folder.process(id).isPresent();
  }

  private static LaunchedInstance instance(String token, String id, State state, long since) {
    return new LaunchedInstance(id, token, NAME, "", state, since);
  }

  private State state(String id) {
    if (ended.contains(id)) {
      return State.ENDED;
    }
    Process own = started.get(id);
    // In this order, because a process that has ended has written its file or found another
    // process's file.
    boolean ownLives = own != null && own.isAlive();
    Optional<StartedProcess> file = folder.process(id);
    boolean lives = file.map(StartedProcess::lives).orElse(ownLives);
    if (!lives) {
      ended.add(id);
      return State.ENDED;
    }
    if (terminations.asked(id)) {
      return State.ENDING;
    }
    return file.isPresent() ? State.RUNNING : State.PENDING;
  }

  private Optional<StartedProcess> process(String id) {
    return folder.process(id).filter(StartedProcess::lives);
  }

  @Override
  public String explanation(String instance) {
    Process own = started.get(instance);
    String log = Path.of(logs, instance + ".log").toString();
    return own == null || own.isAlive() || own.exitValue() == WorkerShell.NOT_STARTED
        ? "its log: " + log
        : "exit code %d%s; its log: %s"
            .formatted(
                own.exitValue(),
                switch (own.exitValue()) {
                  case ExitCodes.ENDED_ITSELF -> ", it was no longer needed";
                  case ExitCodes.SICK -> ", it could not start any task";
                  default -> "";
                },
                log);
  }

  /** Asks processes to end, and kills them if they still exist 10 s later. */
  @Override
  public synchronized void terminate(List<String> instances) {
    for (String id : instances) {
      Process own = started.get(id);
      if (own != null && !folder.settled(id)) {
        own.destroyForcibly(); // it has not become a worker yet
      }
      process(id).ifPresent(process -> terminations.ask(id, process));
    }
  }

  /** The number of processes that this launcher started and that are still alive. */
  public long living() {
    return started.values().stream().filter(Process::isAlive).count();
  }

  /**
   * Drains the workers that this process started: closes their pipes and waits for them to end.
   *
   * @return whether all of them have ended in time
   */
  public boolean drain(Duration limit) throws InterruptedException {
    close();
    long deadline = System.nanoTime() + limit.toNanos();
    for (Process process : new LinkedHashMap<>(started).values()) {
      if (!process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        return false;
      }
    }
    return true;
  }

  /** Closes the pipes, so that the workers that this process started drain and end. */
  @Override
  public void close() {
    for (Process process : started.values()) {
      try {
        process.getOutputStream().close();
      } catch (IOException e) {
        LOG.debug("a worker's pipe was broken already", e);
      }
    }
  }
}
