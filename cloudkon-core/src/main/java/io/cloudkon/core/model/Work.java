package io.cloudkon.core.model;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The work of one task. Immutable. */
public sealed interface Work {

  /** Does nothing: measures the scheduler itself. */
  record Noop() implements Work {
    /** The one instance that is ever needed. */
    public static final Noop INSTANCE = new Noop();
  }

  /**
   * Parks for a while.
   *
   * @param millis how long, in milliseconds; 0 or more
   */
  record Sleep(long millis) implements Work {}

  /**
   * A command in a process of its own.
   *
   * @param argv program and arguments, at least one; a shell line is {@code /bin/sh -c LINE}
   * @param directory where it starts; null means the worker's fresh directory for the task (under
   *     LOCAL the client's directory)
   * @param environment added to the worker's environment
   * @param stdin standard input; empty means end of file at once. Not copied: never written to
   */
  record Exec(
      List<String> argv, @Nullable String directory, Map<String, String> environment, byte[] stdin)
      implements Work {
    public Exec {
      argv = List.copyOf(argv);
      environment = Map.copyOf(environment);
    }

    /** A command line run by the shell. */
    public static Exec shell(String line) {
      return new Exec(List.of("/bin/sh", "-c", line), null, Map.of(), new byte[0]);
    }
  }

  /**
   * A call of a {@link io.cloudkon.core.handler.TaskHandler} inside the worker.
   *
   * @param handler the handler's name
   * @param args its arguments
   */
  record JavaCall(String handler, List<String> args) implements Work {
    public JavaCall {
      args = List.copyOf(args);
    }
  }

  /**
   * Work too large for a message: the worker takes it from the blob store before it runs.
   *
   * @param kind what it is there: {@link Kind#EXEC} or {@link Kind#JAVA}
   * @param content where it lies
   */
  record Stored(Kind kind, Content content) implements Work {}

  /**
   * An HPC job: ranks that must run at the same time, each on a slot of its own.
   *
   * @param ranks how many; 1 or more
   * @param mpi whether they are one MPI program, which {@code mpiexec} launches; {@code each} is
   *     its command then
   * @param each what every rank does; not itself an HPC job
   */
  record Hpc(int ranks, boolean mpi, Work each) implements Work {
    public Hpc {
      if (ranks < 1) {
        throw new IllegalArgumentException("an HPC job has 1 rank or more, not " + ranks);
      }
      if (each instanceof Hpc) {
        throw new IllegalArgumentException("a rank is no HPC job itself");
      }
    }
  }

  /** The kind by which durations are learned and workers allow or refuse. */
  default Kind kind() {
    return switch (this) {
      case Noop n -> Kind.NOOP;
      case Sleep s -> Kind.SLEEP;
      case Exec e -> Kind.EXEC;
      case JavaCall j -> Kind.JAVA;
      case Stored stored -> stored.kind();
      case Hpc hpc -> hpc.each().kind();
    };
  }

  /** The kinds of work; {@link AllowedWork} has what a worker may be narrowed to. */
  enum Kind {
    NOOP,
    SLEEP,
    EXEC,
    JAVA
  }
}
