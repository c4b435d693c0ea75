package io.cloudkon.examples.demo;

import io.cloudkon.core.error.CloudKonException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * The demo's provisioner, and the worker processes that it launches when there is work and that end
 * themselves when there is none. Not thread safe.
 */
final class DemoFleet {
  /** Short, so that what a dead worker held is soon done by others. */
  static final String LEASE = "6s";

  /** No more workers than this at a time. */
  static final int MOST = 3;

  static final int SLOTS = 2;

  /** So soon an idle worker ends itself. */
  static final String IDLE = "8s";

  private static final Duration READY = Duration.ofSeconds(60);
  private static final long GONE_SECONDS = 60;
  private static final long END_SECONDS = 30;
  private static final String WORKER_JAR = "cloudkon-worker.jar";
  private static final String TOLD = "cloudkon provisioner";

  private final DemoChild provisioner;
  private final Narrator narrator;
  private final List<ProcessHandle> seen = new ArrayList<>();
  private int told;

  private DemoFleet(DemoChild provisioner, Narrator narrator) {
    this.provisioner = provisioner;
    this.narrator = narrator;
  }

  /**
   * Starts the provisioner, and no worker.
   *
   * @param folder where workers' logs go, and what the provisioner remembers of them
   */
  static DemoFleet start(
      DemoChildren children,
      Installation installation,
      String queue,
      Path folder,
      Narrator narrator)
      throws InterruptedException {
    List<String> worker =
        installation.worker(
            "-s",
            queue,
            "-t",
            Integer.toString(SLOTS),
            "--lease",
            LEASE,
            "--clock-margin",
            "1s",
            "--heartbeat",
            "1s",
            "--idle-timeout",
            IDLE,
            "--billing-minimum",
            "1s",
            "--handlers",
            installation.handlers().toString());
    DemoChild provisioner =
        children.start(
            "the provisioner",
            installation.provisioner(
                "-s",
                queue,
                "--launcher",
                "process",
                "--max",
                Integer.toString(MOST),
                "--interval",
                "1s",
                "--target",
                "1s",
                "--worker-slots",
                Integer.toString(SLOTS),
                "--worker-command",
                worker.stream().map(DemoFleet::quoted).collect(Collectors.joining(" ")),
                "--state",
                folder.resolve("state").toString(),
                "--logs",
                folder.resolve("workers").toString()));
    provisioner.awaitLine(line -> line.startsWith(TOLD), READY);
    return new DemoFleet(provisioner, narrator);
  }

  /** One word for a shell. */
  private static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }

  /** The provisioner's process. */
  long provisioner() {
    return provisioner.process().pid();
  }

  /** Passes on what the provisioner has said since this was called last. */
  void tell() {
    List<String> lines = provisioner.lines();
    for (String line : lines.subList(told, lines.size())) {
      if (line.startsWith(TOLD)) {
        narrator.overProgress("  " + line);
      }
    }
    told = lines.size();
  }

  /** The worker processes that live, in the order of their start. */
  List<ProcessHandle> workers() {
    List<ProcessHandle> workers =
        provisioner
            .process()
            .descendants()
            .filter(DemoFleet::isWorker)
            .sorted((a, b) -> started(a).compareTo(started(b)))
            .toList();
    workers.stream().filter(worker -> !seen.contains(worker)).forEach(seen::add);
    return workers;
  }

  /** A worker is a Java, and neither the shell that started it nor one that it started. */
  private static boolean isWorker(ProcessHandle process) {
    ProcessHandle.Info info = process.info();
    return process.isAlive()
        && info.command().orElse("").toLowerCase(Locale.ROOT).endsWith("java")
        && info.commandLine().orElse("").contains(WORKER_JAR);
  }

  private static Instant started(ProcessHandle process) {
    return process.info().startInstant().orElse(Instant.EPOCH);
  }

  /** How many workers there have been. */
  int everSeen() {
    return seen.size();
  }

  /** The one that is to die, if there is one that others can stand in for. */
  Optional<ProcessHandle> victim() {
    List<ProcessHandle> workers = workers();
    return workers.size() < 2 ? Optional.empty() : Optional.of(workers.get(1));
  }

  /** SIGKILL: nothing is settled, nothing is said. */
  static void kill(ProcessHandle worker) throws InterruptedException {
    worker.destroyForcibly();
    awaitEnd(worker, END_SECONDS);
  }

  /**
   * Waits until every worker has ended by itself.
   *
   * @throws WrongException if one does not
   */
  void awaitNone() throws InterruptedException {
    for (ProcessHandle worker : workers()) {
      awaitEnd(worker, GONE_SECONDS);
      tell();
    }
    if (!workers().isEmpty()) {
      throw new WrongException("a worker was launched though there was no work: " + said());
    }
  }

  private static void awaitEnd(ProcessHandle process, long seconds) throws InterruptedException {
    try {
      process.onExit().get(seconds, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new WrongException(
          "process %d still lives after %d s".formatted(process.pid(), seconds));
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Ends the provisioner, which has no worker any more.
   *
   * @throws CloudKonException if it has ended before, or does not end
   */
  void stop() throws InterruptedException {
    if (!provisioner.process().isAlive()) {
      throw new WrongException("the provisioner has ended by itself; it said: " + said());
    }
    provisioner.process().destroy();
    if (!provisioner.process().waitFor(END_SECONDS, TimeUnit.SECONDS)) {
      throw new WrongException("the provisioner does not end; it said: " + said());
    }
  }

  private String said() {
    return provisioner.said();
  }
}
