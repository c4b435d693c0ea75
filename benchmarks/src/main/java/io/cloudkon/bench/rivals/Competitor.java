package io.cloudkon.bench.rivals;

import io.cloudkon.core.error.UsageException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** A system that takes part, with the facts that a reader needs to compare it. */
enum Competitor {
  XARGS(
      Role.YARDSTICK,
      "`xargs -P4`",
      Exercise.COMMANDS,
      1,
      "no: nothing outlives it",
      "nothing",
      "commands only; keeps no results"),
  THREADS(
      Role.YARDSTICK,
      "4 threads",
      Exercise.FUNCTIONS,
      1,
      "no: one process",
      "nothing",
      "Python's ThreadPoolExecutor without anything around it"),
  LOCAL(
      Role.OURS,
      "CloudKon LOCAL",
      EnumSet.allOf(Exercise.Kind.class),
      1,
      "no: queue and claims in one process",
      "nothing",
      "one command from launcher to exit; its JVM is cold"),
  CLUSTER(
      Role.OURS,
      "CloudKon cluster",
      EnumSet.allOf(Exercise.Kind.class),
      1,
      "yes: tasks and results in SQS, each bundle claimed in DynamoDB",
      "the emulators, one warm worker",
      "the client is a cold JVM; emulators, worker and client share the machine"),
  HYPERQUEUE(
      Role.RIVAL,
      "HyperQueue",
      Exercise.COMMANDS,
      4,
      "no: server without a journal",
      "nothing",
      "commands only, so it is compared with our commands; server, worker and client in the one"
          + " process of its Python package, which is not its usual way to run"),
  CELERY(
      Role.RIVAL,
      "Celery",
      Exercise.FUNCTIONS,
      4,
      "partly: tasks in SQS (late acknowledgement), results in files; no claims",
      "the same SQS emulator, one worker of 4 processes",
      "prefork; a message and a request for each task; file system as its result backend"),
  DASK(
      Role.RIVAL,
      "Dask",
      Exercise.FUNCTIONS,
      1,
      "no: in memory",
      "nothing",
      "LocalCluster of 2 processes with 2 threads each; client.map and gather"),
  RAY(
      Role.RIVAL,
      "Ray",
      Exercise.FUNCTIONS,
      1,
      "no: in memory",
      "nothing",
      "one node of 4 worker processes; usage statistics off");

  private final Role role;
  private final String title;
  private final Set<Exercise.Kind> kinds;
  private final int divisor;
  private final String durable;
  private final String standing;
  private final String remark;

  Competitor(
      Role role,
      String title,
      Set<Exercise.Kind> kinds,
      int divisor,
      String durable,
      String standing,
      String remark) {
    this.role = role;
    this.title = title;
    this.kinds = kinds;
    this.divisor = divisor;
    this.durable = durable;
    this.standing = standing;
    this.remark = remark;
  }

  /** The reason why a system takes part. */
  enum Role {
    YARDSTICK,
    OURS,
    RIVAL
  }

  /** Its name on the command line and in files. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  Role role() {
    return role;
  }

  /** Its name in tables. */
  String title() {
    return title;
  }

  /** Whether and where its tasks and results survive its processes. */
  String durable() {
    return durable;
  }

  /** The processes that already run when the clocks start. */
  String standing() {
    return standing;
  }

  /** Other points that limit the comparison. */
  String remark() {
    return remark;
  }

  boolean does(Exercise exercise) {
    return kinds.contains(exercise.kind());
  }

  /**
   * The number of tasks that it does; a slow system does only a part of the short ones, at the same
   * rate.
   */
  int tasks(Exercise exercise) {
    return isShort(exercise) ? Math.max(1, exercise.tasks() / divisor) : exercise.tasks();
  }

  /** The divisor of the number of short tasks. */
  int divisor() {
    return divisor;
  }

  /** Whether it does fewer tasks than the others. */
  boolean doesPart() {
    return divisor > 1;
  }

  private static boolean isShort(Exercise exercise) {
    return exercise.millis() <= 1;
  }

  static List<Competitor> rivals() {
    return Arrays.stream(values()).filter(c -> c.role == Role.RIVAL).toList();
  }

  /**
   * The systems that run if only these rivals are requested; all of them if none is named.
   *
   * @throws UsageException if a name is not a rival's
   */
  static List<Competitor> chosen(List<String> only) {
    for (String name : only) {
      if (rivals().stream().noneMatch(rival -> rival.label().equals(name))) {
        throw new UsageException(
            "--only %s: there is no such rival; expected some of %s"
                .formatted(
                    name,
                    rivals().stream().map(Competitor::label).collect(Collectors.joining(","))));
      }
    }
    return Arrays.stream(values())
        .filter(c -> c.role != Role.RIVAL || only.isEmpty() || only.contains(c.label()))
        .toList();
  }
}
