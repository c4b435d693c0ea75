package io.cloudkon.worker.execute.spawn;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.NoSuchElementException;

/**
 * The functions of glibc (2.34 or later) that start and watch commands. They are linked when this
 * class is initialized, so nothing may use it before the first command.
 *
 * <p>Blocking calls block the calling thread, and the carrier of a virtual thread.
 */
@SuppressWarnings("restricted") // as in NativeCalls
final class Libc {
  static final int CLOSE_ON_EXEC = 0x80000;

  private static final int PIDFD_OPEN = 434;
  private static final int OF_PROCESS = 1;
  private static final int OWN = 0;
  private static final int ENDED_STAYS_NO_WAIT = 0x0000_0004 | 0x0100_0000 | 0x0000_0001;

  private static final MethodHandle PIPE2 = link("pipe2");
  private static final MethodHandle CLOSE = link("close");
  private static final MethodHandle READ = link("read");
  private static final MethodHandle WRITE = link("write");
  private static final MethodHandle POLL = link("poll");
  private static final MethodHandle FCHOWN = link("fchown");
  private static final MethodHandle MEMFD_CREATE = link("memfd_create");
  private static final MethodHandle KILL = link("kill");
  private static final MethodHandle WAITID = link("waitid");
  private static final MethodHandle WAIT4 = link("wait4");
  private static final MethodHandle GETRUSAGE = link("getrusage");
  private static final MethodHandle SYSCALL = link("syscall");
  private static final MethodHandle STRERROR = link("strerror");
  private static final MethodHandle SPAWN = link("posix_spawn");
  private static final MethodHandle ATTRIBUTES = link("posix_spawnattr_init");
  private static final MethodHandle ATTRIBUTE_FLAGS = link("posix_spawnattr_setflags");
  private static final MethodHandle ACTIONS = link("posix_spawn_file_actions_init");
  private static final MethodHandle NO_ACTIONS = link("posix_spawn_file_actions_destroy");
  private static final MethodHandle ACTION_DUP2 = link("posix_spawn_file_actions_adddup2");
  private static final MethodHandle ACTION_OPEN = link("posix_spawn_file_actions_addopen");
  private static final MethodHandle ACTION_CLOSE_FROM =
      link("posix_spawn_file_actions_addclosefrom_np");
  private static final MethodHandle ACTION_CHDIR = link("posix_spawn_file_actions_addchdir_np");

  private static final MemorySegment ENVIRON = NativeCalls.variable("environ");

  private Libc() {}

  private static MethodHandle link(String name) {
    return NativeCalls.find(name)
        .orElseThrow(() -> new NoSuchElementException("the C library has no " + name));
  }

  private static int call(MethodHandle function, long a, long b, long c, long d) {
    return (int) NativeCalls.call(function, a, b, c, d, 0, 0);
  }

  /** The address of this process's variables: a pointer to the first of them. */
  static MemorySegment environ() {
    return ENVIRON;
  }

  /** Creates a pipe that no other program inherits; returns 0, or -1 on failure. */
  static int pipe(MemorySegment readAndWriteEnd) {
    return call(PIPE2, readAndWriteEnd.address(), CLOSE_ON_EXEC, 0, 0);
  }

  static void close(int descriptor) {
    int _ = call(CLOSE, descriptor, 0, 0, 0);
  }

  /** Returns the number of bytes read; 0 at the end, -1 on failure. */
  static int read(int descriptor, MemorySegment to) {
    return call(READ, descriptor, to.address(), to.byteSize(), 0);
  }

  /** Returns the number of bytes written; -1 if nobody reads. */
  static int write(int descriptor, MemorySegment from, int count) {
    return call(WRITE, descriptor, from.address(), count, 0);
  }

  /** Waits for an event of one of the descriptors. */
  static void poll(MemorySegment descriptors, int count, int millis) {
    int _ = call(POLL, descriptors.address(), count, millis, 0);
  }

  /** Makes another user the owner of a pipe. */
  static void giveTo(int uid, int descriptor) {
    int _ = call(FCHOWN, descriptor, uid, -1, 0);
  }

  /** Creates a file without a name; -1 on failure. */
  static int memoryFile(MemorySegment name) {
    return call(MEMFD_CREATE, name.address(), 1, 0, 0);
  }

  /** Whether a signal reached a process or, with a negative number, any process of the group. */
  static boolean kill(int pid, int signal) {
    return call(KILL, pid, signal, 0, 0) == 0;
  }

  /** Returns a descriptor that becomes readable once the process has ended; -1 on failure. */
  static int processDescriptor(int pid) {
    return (int) NativeCalls.call(SYSCALL, PIDFD_OPEN, pid, 0, 0, 0, 0);
  }

  /** Reads how a process ended, without reaping it; returns 0, or -1 on failure. */
  static int look(int pid, MemorySegment siginfo) {
    return call(WAITID, OF_PROCESS, pid, siginfo.address(), ENDED_STAYS_NO_WAIT);
  }

  /** Reaps an ended process, and reads its resource usage. */
  static int reap(int pid, MemorySegment status, MemorySegment usage) {
    return call(WAIT4, pid, status.address(), 0, usage.address());
  }

  /** Reads the resource usage of this process. */
  static void ownUsage(MemorySegment usage) {
    int _ = call(GETRUSAGE, OWN, usage.address(), 0, 0);
  }

  /** The name of an error. */
  static String error(int number) {
    long text = NativeCalls.call(STRERROR, number, 0, 0, 0, 0, 0);
    return MemorySegment.ofAddress(text).reinterpret(Long.MAX_VALUE).getString(0);
  }

  static int spawn(
      MemorySegment pid,
      MemorySegment file,
      MemorySegment actions,
      MemorySegment attributes,
      MemorySegment argv,
      MemorySegment environment) {
    return (int)
        NativeCalls.call(
            SPAWN,
            pid.address(),
            file.address(),
            actions.address(),
            attributes.address(),
            argv.address(),
            environment.address());
  }

  static void attributes(MemorySegment fresh, int flags) {
    int _ = call(ATTRIBUTES, fresh.address(), 0, 0, 0);
    int _ = call(ATTRIBUTE_FLAGS, fresh.address(), flags, 0, 0);
  }

  static void actions(MemorySegment fresh) {
    int _ = call(ACTIONS, fresh.address(), 0, 0, 0);
  }

  static void destroyActions(MemorySegment actions) {
    int _ = call(NO_ACTIONS, actions.address(), 0, 0, 0);
  }

  static void addDup2(MemorySegment actions, int from, int to) {
    int _ = call(ACTION_DUP2, actions.address(), from, to, 0);
  }

  static void addOpen(MemorySegment actions, int descriptor, MemorySegment path, int flags) {
    long _ =
        NativeCalls.call(ACTION_OPEN, actions.address(), descriptor, path.address(), flags, 0, 0);
  }

  static void addCloseFrom(MemorySegment actions, int first) {
    int _ = call(ACTION_CLOSE_FROM, actions.address(), first, 0, 0);
  }

  static void addChdir(MemorySegment actions, MemorySegment path) {
    int _ = call(ACTION_CHDIR, actions.address(), path.address(), 0, 0);
  }
}
