package io.cloudkon.bench.rivals;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A piece of work that every system does in its own way.
 *
 * @param name for files and JSON
 * @param kind the kind of its tasks
 * @param millis the sleep time of a task; 0 if it does not sleep
 * @param tasks the number of tasks, for a system that does them all
 */
record Exercise(String name, Kind kind, int millis, int tasks) {
  /** The slots of every system. */
  static final int SLOTS = 4;

  /** The total work of an exercise in sleeps, in seconds; {@code --quick} uses less. */
  static final int WORK_SECONDS = 8;

  /** The kinds for a system whose tasks are functions that can also start a process. */
  static final Set<Kind> FUNCTIONS = EnumSet.of(Kind.START, Kind.TRUE, Kind.NOOP, Kind.SLEEP);

  /** The kinds for a system whose tasks are commands. */
  static final Set<Kind> COMMANDS = EnumSet.of(Kind.START, Kind.TRUE, Kind.COMMAND);

  private static final int QUICK_WORK_SECONDS = 1;
  private static final List<Integer> MILLIS = List.of(1, 16, 128);

  /** The work of a task. */
  enum Kind {
    /** A single no-op, to measure the time of the whole command. */
    START("noop"),
    /** {@code sh -c true}. */
    TRUE("true"),
    /** A no-op, without a process if the system can do that. */
    NOOP("noop"),
    /** A sleep, without a process. */
    SLEEP("sleep"),
    /** {@code sh -c 'sleep S'}. */
    COMMAND("command");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    /** Its name in the rivals' scripts. */
    String word() {
      return word;
    }

    /** Whether its figure is an efficiency instead of a rate. */
    boolean sleeps() {
      return this == SLEEP || this == COMMAND;
    }
  }

  /** All exercises, in the order of measurement. */
  static List<Exercise> all(boolean quick) {
    return List.of(
        new Exercise("start", Kind.START, 0, 1),
        new Exercise("true", Kind.TRUE, 0, quick ? 400 : 4_000),
        new Exercise("noop", Kind.NOOP, 0, quick ? 2_000 : 20_000),
        sleeps(Kind.SLEEP, MILLIS.get(0), quick),
        sleeps(Kind.SLEEP, MILLIS.get(1), quick),
        sleeps(Kind.SLEEP, MILLIS.get(2), quick),
        sleeps(Kind.COMMAND, MILLIS.get(0), quick),
        sleeps(Kind.COMMAND, MILLIS.get(1), quick),
        sleeps(Kind.COMMAND, MILLIS.get(2), quick));
  }

  /** An exercise with as many tasks as make up the work, rounded up to a multiple of the slots. */
  private static Exercise sleeps(Kind kind, int millis, boolean quick) {
    int work = 1_000 * (quick ? QUICK_WORK_SECONDS : WORK_SECONDS);
    int rounds = Math.ceilDiv(work, SLOTS * millis);
    return new Exercise(kind.word() + "-" + millis, kind, millis, rounds * SLOTS);
  }

  /** The share of the slots' time in which this number of its tasks slept. */
  double efficiency(int done, double seconds) {
    return done * millis / 1e3 / (SLOTS * seconds);
  }

  /** The line of a workload file of CloudKon. */
  String line() {
    return switch (kind) {
      case START, NOOP -> "noop";
      case TRUE -> "exec true";
      case SLEEP -> "sleep " + millis;
      case COMMAND -> "exec " + sleepCommand();
    };
  }

  /** The shell command of a task. */
  String shellCommand() {
    return kind == Kind.COMMAND ? sleepCommand() : "true";
  }

  private String sleepCommand() {
    return "sleep " + millis / 1e3;
  }
}
