package io.cloudkon.bench.rivals;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * One piece of work that every system does in its own way.
 *
 * @param name for files and JSON
 * @param kind what each task does
 * @param millis how long a task sleeps; 0 where it does not
 * @param tasks how many, for a system that does them all
 */
record Exercise(String name, Kind kind, int millis, int tasks) {
  /** The slots of every system. */
  static final int SLOTS = 4;

  /** The tasks of an exercise in sleeps are so many seconds of work together, in whole or quick. */
  static final int WORK_SECONDS = 8;

  /** The exercises of a system whose tasks are functions, and which can start a process in one. */
  static final Set<Kind> FUNCTIONS = EnumSet.of(Kind.START, Kind.TRUE, Kind.NOOP, Kind.SLEEP);

  /** The exercises of a system whose tasks are commands. */
  static final Set<Kind> COMMANDS = EnumSet.of(Kind.START, Kind.TRUE, Kind.COMMAND);

  private static final int QUICK_WORK_SECONDS = 1;
  private static final List<Integer> MILLIS = List.of(1, 16, 128);

  /** The work of a task. */
  enum Kind {
    /** One no-op, for the time of the whole command. */
    START("noop"),
    /** {@code sh -c true}. */
    TRUE("true"),
    /** Nothing, without a process where the system can do so. */
    NOOP("noop"),
    /** Sleeps, without a process. */
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

    /** Whether its figure is an efficiency, not a rate. */
    boolean sleeps() {
      return this == SLEEP || this == COMMAND;
    }
  }

  /** All of them, in the order in which they are measured. */
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

  /** As many tasks as make up the work, rounded up to what fills the slots. */
  private static Exercise sleeps(Kind kind, int millis, boolean quick) {
    int work = 1_000 * (quick ? QUICK_WORK_SECONDS : WORK_SECONDS);
    int rounds = Math.ceilDiv(work, SLOTS * millis);
    return new Exercise(kind.word() + "-" + millis, kind, millis, rounds * SLOTS);
  }

  /** The share of the slots' time in which so many of its tasks slept. */
  double efficiency(int done, double seconds) {
    return done * millis / 1e3 / (SLOTS * seconds);
  }

  /** A line of a workload file of CloudKon. */
  String line() {
    return switch (kind) {
      case START, NOOP -> "noop";
      case TRUE -> "exec true";
      case SLEEP -> "sleep " + millis;
      case COMMAND -> "exec " + sleepCommand();
    };
  }

  /** The command of a task that is one. */
  String shellCommand() {
    return kind == Kind.COMMAND ? sleepCommand() : "true";
  }

  private String sleepCommand() {
    return "sleep " + millis / 1e3;
  }
}
