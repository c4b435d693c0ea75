package io.cloudkon.worker.execute.spawn;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts commands by {@code posix_spawn}. Each leads a session of its own, has no signal blocked,
 * and inherits no descriptors except its three streams. Thread safe.
 */
public final class Spawner {
  private static final Logger LOG = LoggerFactory.getLogger(Spawner.class);

  private static final Path SHELL = Path.of("/bin/sh");
  private static final int TRIAL = 7;
  private static final long TRIAL_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** More than the structs of any glibc take. */
  private static final int STRUCT_BYTES = 512;

  private static final int NEW_SESSION = 0x80;
  private static final int SET_MASK = 0x08;
  private static final int SIGKILL = 9;
  private static final int FIRST_FREE = 3;
  private static final int WRITE_ONLY = 1;

  /**
   * Errors that are not the program's fault: no memory, no process, no descriptor, too many
   * arguments.
   */
  private static final Set<Integer> OF_THE_MACHINE = Set.of(7, 11, 12, 23, 24);

  /** {@code ETXTBSY}: the program is open for writing. */
  private static final int BUSY = 26;

  /** How often a start of a busy program is repeated: after 1 ms, 2 ms and so on, 2 s in all. */
  private static final int BUSY_REPEATS = 11;

  private static final byte[] NO_INPUT = {};

  private final MemorySegment attributes = Arena.global().allocate(STRUCT_BYTES, 16);
  private final MemorySegment nothing = Arena.global().allocateFrom("/dev/null");

  private Spawner() {
    Libc.attributes(attributes, NEW_SESSION | SET_MASK);
  }

  /** The spawner of this machine, looked up once. */
  private static final class Holder {
    static final Optional<Spawner> FOUND = find();
  }

  /**
   * The spawner of this machine; empty if commands cannot be spawned here. The first call takes 0.2
   * s.
   */
  public static Optional<Spawner> ofThisMachine() {
    return Holder.FOUND;
  }

  private static Optional<Spawner> find() {
    if (!NativeCalls.arePossible()) {
      return Optional.empty();
    }
    try {
      Spawner spawner = new Spawner();
      spawner.attempt();
      return Optional.of(spawner);
    } catch (IOException | LinkageError | RuntimeException e) {
      LOG.debug("commands are started by a shell: posix_spawn is not to be had", e);
      return Optional.empty();
    }
  }

  /**
   * Spawns a shell, because a lack in an older kernel or C library, or in a sandbox, may show only
   * in use.
   */
  private void attempt() throws IOException {
    Variables variables = new Variables(name -> true, Map.of());
    List<String> argv = List.of(SHELL.toString(), "-c", "exit " + TRIAL);
    try (MemoryFile lifeline = new MemoryFile("cloudkon-trial")) {
      SpawnOrder order =
          new SpawnOrder(
              SHELL.toString(),
              argv,
              Path.of("/"),
              variables,
              Map.of(),
              NO_INPUT,
              -1,
              lifeline.descriptor());
      try (SpawnedChild child = started(order, OutputSink.NONE, OutputSink.NONE)) {
        boolean ended = endsPatiently(child);
        child.kill();
        child.reap();
        if (!ended || child.exitCode() != TRIAL || child.usage().cpuMicros() == 0) {
          throw new IOException("a shell did not end as it was told to");
        }
      }
    }
  }

  /**
   * Waits despite interrupts, because a result that is kept must not depend on its first caller's.
   */
  private static boolean endsPatiently(SpawnedChild child) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return child.ends(TRIAL_NANOS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Starts a command. A program that is open for writing is tried again for up to 2 s: a process
   * that starts beside it may have a copy of the descriptor by which it was written. If a program
   * cannot be executed, the shell is started instead, which reports the reason on standard error
   * and by its exit code.
   *
   * @throws IOException if no process can be created, with the message of {@link ProcessBuilder}
   * @throws IllegalArgumentException if the order cannot be passed to any process
   */
  public SpawnedChild spawn(SpawnOrder order, OutputSink out, OutputSink err) throws IOException {
    try {
      return startedOnceFree(order, out, err);
    } catch (NotExecutedException e) {
      if (OF_THE_MACHINE.contains(e.error)) {
        throw e;
      }
      return started(order.byShell(byShell(order.argv())), out, err);
    }
  }

  private SpawnedChild startedOnceFree(SpawnOrder order, OutputSink out, OutputSink err)
      throws IOException {
    for (int repeats = 0; ; repeats++) {
      try {
        return started(order, out, err);
      } catch (NotExecutedException e) {
        if (e.error != BUSY || repeats == BUSY_REPEATS) {
          throw e;
        }
        try {
          Thread.sleep(1L << repeats);
        } catch (InterruptedException interrupt) {
          Thread.currentThread().interrupt();
          throw e;
        }
      }
    }
  }

  private static List<String> byShell(List<String> argv) {
    String[] words = new String[4 + argv.size()];
    words[0] = SHELL.toString();
    words[1] = "-c";
    words[2] = "exec \"$@\"";
    words[3] = "cloudkon";
    for (int i = 0; i < argv.size(); i++) {
      words[4 + i] = argv.get(i);
    }
    return Arrays.asList(words);
  }

  private static final class NotExecutedException extends IOException {
    private static final long serialVersionUID = 1L;

    final int error;

    NotExecutedException(SpawnOrder order, int error) {
      super(
          "Cannot run program \"%s\" (in directory \"%s\"): error=%d, %s"
              .formatted(order.argv().getFirst(), order.directory(), error, Libc.error(error)));
      this.error = error;
    }
  }

  private SpawnedChild started(SpawnOrder order, OutputSink out, OutputSink err)
      throws IOException {
    CommandBuffer buffer = CommandBuffer.take();
    boolean done = false;
    try (Arena arena = Arena.ofConfined();
        Pipes pipes = Pipes.open(order.input().length > 0, order.uid(), arena)) {
      int pid = spawn(order, pipes, arena);
      SpawnedChild child = adopted(pid, pipes, buffer, order.input(), out, err);
      done = true;
      return child;
    } finally {
      if (!done) {
        buffer.giveBack();
      }
    }
  }

  private int spawn(SpawnOrder order, Pipes pipes, SegmentAllocator memory) throws IOException {
    MemorySegment pid = memory.allocate(JAVA_INT);
    MemorySegment file = memory.allocateFrom(checked(order.file()));
    MemorySegment argv = strings(order.argv(), memory);
    MemorySegment environment = order.inherited().with(order.own(), memory);
    MemorySegment actions = memory.allocate(STRUCT_BYTES, 16);
    Libc.actions(actions);
    int error;
    try {
      add(actions, order, pipes, memory);
      error =
          PendingStarts.OF_THIS_PROCESS.during(
              () -> Libc.spawn(pid, file, actions, attributes, argv, environment));
    } finally {
      Libc.destroyActions(actions);
    }
    if (error != 0) {
      throw new NotExecutedException(order, error);
    }
    return pid.get(JAVA_INT, 0);
  }

  /** Takes over a started process; on failure it is killed, so that no unknown process is left. */
  private static SpawnedChild adopted(
      int pid, Pipes pipes, CommandBuffer buffer, byte[] input, OutputSink out, OutputSink err)
      throws IOException {
    try {
      return new SpawnedChild(pid, pipes.ofChild(pid), buffer, input, out, err);
    } catch (IOException | RuntimeException | Error e) {
      boolean _ = Libc.kill(-pid, SIGKILL);
      int _ = Libc.reap(pid, MemorySegment.NULL, MemorySegment.NULL);
      throw e;
    }
  }

  private void add(MemorySegment actions, SpawnOrder order, Pipes pipes, SegmentAllocator memory) {
    if (order.input().length == 0) {
      Libc.addOpen(actions, 0, nothing, 0);
    } else {
      Libc.addDup2(actions, pipes.in(), 0);
    }
    Libc.addDup2(actions, pipes.out(), 1);
    Libc.addDup2(actions, pipes.err(), 2);
    // glibc closes this number first, so it is the lowest free one and the lifeline gets it without
    // a copy, which the program would inherit
    Libc.addOpen(
        actions,
        FIRST_FREE,
        memory.allocateFrom("/proc/self/fd/" + order.lifeline()),
        WRITE_ONLY | Libc.CLOSE_ON_EXEC);
    Libc.addCloseFrom(actions, FIRST_FREE + 1);
    Libc.addChdir(actions, memory.allocateFrom(order.directory().toString()));
  }

  private static MemorySegment strings(List<String> words, SegmentAllocator memory) {
    MemorySegment pointers = memory.allocate(ADDRESS, words.size() + 1L);
    for (int i = 0; i < words.size(); i++) {
      pointers.setAtIndex(ADDRESS, i, memory.allocateFrom(checked(words.get(i))));
    }
    pointers.setAtIndex(ADDRESS, words.size(), MemorySegment.NULL);
    return pointers;
  }

  private static String checked(String word) {
    if (word.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("an argument has a NUL character, which none can have");
    }
    return word;
  }
}
