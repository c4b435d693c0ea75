package io.cloudkon.local;

import io.cloudkon.core.config.Durations;
import io.cloudkon.core.process.AotCache;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Starts the emulator as a process that outlives this one, and stops it. The caller must hold the
 * state folder's lock.
 */
final class BackgroundEmulator {
  private static final Duration START_LIMIT = Duration.ofMinutes(3);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(10);
  private static final Duration GLANCE = Duration.ofMillis(20);
  private static final int LOG_LINES_SHOWN = 20;

  /** The options with which the launcher uses no AOT cache, either. */
  private static final Predicate<String> CHOOSES_CACHE =
      Pattern.compile("-Xlog|-Xshare|AOT|SharedArchive").asPredicate();

  /**
   * The options that only one of two JVMs can have, or that a person means for the command alone:
   * agents, which may listen on a port, remote management, and a recording with its file.
   */
  private static final Predicate<String> FOR_ONE_JVM =
      Pattern.compile(
              "^(-agentlib|-agentpath|-javaagent|-Xrun|-Dcom\\.sun\\.management\\.|-XX:StartFlightRecording)")
          .asPredicate();

  private final StateDirectory state;

  private final Map<String, String> environment;

  BackgroundEmulator(StateDirectory state) {
    this(state, System.getenv());
  }

  /**
   * The emulator of a state folder.
   *
   * @param environment this process's variables, of which {@code JAVA_OPTS} and {@code
   *     CLOUDKON_JAVA_OPTS} hold further options of its JVM
   */
  BackgroundEmulator(StateDirectory state, Map<String, String> environment) {
    this.state = state;
    this.environment = environment;
  }

  /**
   * The emulator that runs; waits for one that is starting. Empty if there is none.
   *
   * @throws LocalException if it runs elsewhere, or is not ready within three minutes
   */
  Optional<RunningEmulator> running() {
    Optional<BackgroundProcess> process = process();
    if (process.isEmpty()) {
      return Optional.empty();
    }
    if (!await(START_LIMIT, () -> state.remembered().isPresent() || isGone())) {
      throw new LocalException(
          "The emulator, process %d, is not ready within %d s. End it with: %s local stop"
              .formatted(process.get().pid(), START_LIMIT.toSeconds(), CommandName.asCalled()));
    }
    return state.running();
  }

  /** The process that lives, ready or not; empty if there is none. */
  private Optional<BackgroundProcess> process() {
    if (!state.isAlive()) {
      return Optional.empty();
    }
    // it writes its number when it has the lock
    boolean known = await(STOP_LIMIT, () -> state.process().isPresent() || isGone());
    Optional<BackgroundProcess> process = state.process();
    process.filter(found -> !found.isHere()).ifPresent(this::refuseElsewhere);
    if (!known) {
      throw new LocalException(
          "An emulator holds %s, and does not say which process it is.".formatted(state.alive()));
    }
    return process;
  }

  private void refuseElsewhere(BackgroundProcess process) {
    throw new LocalException(
        "The emulator of the state folder %s is process %d of %s, on another machine or in another container; run this command there, or name another folder with --state-dir."
            .formatted(state.path(), process.pid(), process.host()));
  }

  /**
   * Starts an emulator, and returns when it answers. If this process is interrupted before, the
   * emulator ends, too.
   *
   * @throws LocalException if it ends or is not ready within three minutes; contains the end of its
   *     log
   */
  RunningEmulator start(Endpoints wish, Duration latency) {
    state.forget();
    Process process = spawn(wish, latency);
    Thread interrupted = new Thread(process::destroy, "cloudkon-local-interrupted");
    Runtime.getRuntime().addShutdownHook(interrupted);
    boolean settled =
        await(START_LIMIT, () -> state.remembered().isPresent() || !process.isAlive());
    Optional<RunningEmulator> started = state.remembered();
    if (started.isPresent() && process.isAlive()) {
      remove(interrupted);
      return started.get();
    }
    process.destroyForcibly();
    // one that was started by a command that has been killed may have been quicker
    return running()
        .orElseThrow(() ->
            new LocalException(
                settled
                    ? endOfLog()
                    : "The emulator was not ready within %d s. Its log ends: %s"
                        .formatted(START_LIMIT.toSeconds(), endOfLog())));
  }

  private static void remove(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // it runs already, and the emulator ends with this process
    }
  }

  private Process spawn(Endpoints wish, Duration latency) {
    try {
      return new ProcessBuilder(command(wish, latency))
          .redirectInput(Redirect.from(new File("/dev/null")))
          .redirectErrorStream(true)
          .redirectOutput(state.log().toFile())
          .start();
    } catch (IOException e) {
      throw new LocalException("The emulator cannot be started: " + e.getMessage(), e);
    }
  }

  /** The command line of the emulator's process. */
  List<String> command(Endpoints wish, Duration latency) {
    String classPath = System.getProperty("java.class.path");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    List<String> usersOptions = usersOptions();
    if (usersOptions.stream().noneMatch(CHOOSES_CACHE)) {
      command.addAll(AotCache.options(Path.of(classPath)));
    }
    command.addAll(
        List.of(
            "--sun-misc-unsafe-memory-access=allow",
            // TMPDIR, which the launcher passes on in this way
            "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir")));
    command.addAll(usersOptions);
    command.addAll(
        List.of(
            // not -cp, which needs options with which the JVM refuses the AOT cache
            "-jar",
            classPath,
            "--as-background",
            "--state-dir=" + state.path(),
            "--sqs-port=" + wish.sqsPort(),
            "--dynamodb-port=" + wish.dynamoDbPort(),
            "--s3-port=" + wish.s3Port(),
            "--emulate-latency=" + Durations.format(latency)));
    return command;
  }

  /** The options that the launcher passes on, split at blanks as it does, without those for one. */
  private List<String> usersOptions() {
    return Stream.of("JAVA_OPTS", "CLOUDKON_JAVA_OPTS")
        .flatMap(name -> Stream.of(environment.getOrDefault(name, "").split("\\s+")))
        .filter(option -> !option.isEmpty() && !FOR_ONE_JVM.test(option))
        .toList();
  }

  private String endOfLog() {
    try {
      List<String> lines = Files.readAllLines(state.log());
      return String.join(
          "\n", lines.subList(Math.max(0, lines.size() - LOG_LINES_SHOWN), lines.size()));
    } catch (IOException e) {
      return "It left no log at " + state.log() + " (" + e.getMessage() + ").";
    }
  }

  /**
   * Stops the emulator, ready or not, forcibly if it does not end by itself, and waits until it is
   * gone.
   *
   * @return the process that has ended; empty if there was none
   * @throws LocalException if it runs elsewhere or does not end
   */
  Optional<BackgroundProcess> stop() {
    Optional<BackgroundProcess> emulator = process();
    emulator.ifPresent(this::stop);
    return emulator;
  }

  private void stop(BackgroundProcess emulator) {
    Optional<ProcessHandle> process = ProcessHandle.of(emulator.pid());
    process.ifPresent(ProcessHandle::destroy);
    if (!await(STOP_LIMIT, this::isGone)) {
      process.ifPresent(ProcessHandle::destroyForcibly);
    }
    if (!await(STOP_LIMIT, this::isGone)) {
      throw new LocalException("The emulator, process %d, does not end.".formatted(emulator.pid()));
    }
    state.forget();
  }

  /** Whether it is gone; does not look at the process, because a zombie is still listed. */
  private boolean isGone() {
    return !state.isAlive();
  }

  private static boolean await(Duration limit, BooleanSupplier condition) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      try {
        Thread.sleep(GLANCE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return condition.getAsBoolean();
      }
    }
    return true;
  }
}
