package io.cloudkon.core.cli;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * Ends a program. At its end, the JVM waits 0.3 s for threads in native code, and once a virtual
 * thread has used a socket, there is always one that waits for sockets. A short command then ends
 * by {@code _exit(2)} instead, if the launcher permits it by the system property {@value
 * #PERMITTED}: no option of the user's asks the JVM for something at its end, such as a recording.
 * Stateless but for {@link #usesSockets}.
 */
public final class ProgramExit {
  private static final String PERMITTED = "cloudkon.quick-exit";

  private static volatile boolean socketsUsed;

  private ProgramExit() {}

  /** Records that the program may have used sockets. */
  static void usesSockets() {
    socketsUsed = true;
  }

  /**
   * Ends the program. Everything is closed and no shutdown hook has anything left to do; if the JVM
   * is already ending, its hooks finish first, and their exit code counts.
   */
  public static void exit(int code) {
    if (socketsUsed && Boolean.getBoolean(PERMITTED) && !isEnding()) {
      System.out.flush();
      System.err.flush();
      endProcess(code);
    }
    System.exit(code);
  }

  private static boolean isEnding() {
    try {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> {}));
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }

  /** Returns only if the process cannot be ended in this way. */
  @SuppressWarnings("restricted") // the manifests of the executable jars allow it
  private static void endProcess(int code) {
    try {
      Linker linker = Linker.nativeLinker();
      Optional<MemorySegment> function = linker.defaultLookup().find("_exit");
      if (function.isPresent()) {
        MethodHandle exit =
            linker.downcallHandle(function.get(), FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT));
        exit.invokeExact(code);
      }
    } catch (Throwable e) {
      // the slower way remains
    }
  }
}
