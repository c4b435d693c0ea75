package io.cloudkon.core.model;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The work of one task. Immutable. */
public sealed interface Work {

  /** Does nothing, to measure the scheduler itself. */
  record Noop() implements Work {
    /** The only instance that is needed. */
    public static final Noop INSTANCE = new Noop();
  }

  /**
   * Waits for a given time.
   *
   * @param millis the time in milliseconds; 0 or more
   */
  record Sleep(long millis) implements Work {}

  /**
   * A command in a separate process.
   *
   * @param argv program and arguments, at least one element; a shell line is {@code /bin/sh -c
   *     LINE}
   * @param directory the directory in which it starts; null means the task's new directory (under
   *     LOCAL the client's directory)
   * @param environment variables that are added to the worker's environment
   * @param stdin the standard input; empty means end of file at once. Neither copied nor changed
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
   * Work that is too large for a message: the worker fetches it from the blob store before it runs.
   *
   * @param kind its actual kind: {@link Kind#EXEC} or {@link Kind#JAVA}
   * @param content its location in the blob store
   */
  record Stored(Kind kind, Content content) implements Work {}

  /**
   * An HPC job: ranks that must run at the same time, each in its own slot.
   *
   * @param ranks the number of ranks; 1 or more
   * @param mpi whether they are one MPI program, which {@code mpiexec} launches; {@code each} is
   *     then its command
   * @param each the work of every rank; it must not be an HPC job
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

  /** The kind of this work, for learned durations and for the kinds that workers allow. */
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

  /** The kinds of work; {@link AllowedWork} has the kinds to which a worker may be restricted. */
  enum Kind {
    NOOP,
    SLEEP,
    EXEC,
    JAVA
  }
}
