package io.cloudkon.worker.execute.spawn;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import java.util.Set;

/**
 * Calls functions of the C library. All calls have one signature, six longs and a long as the
 * result, because every further signature costs 10 ms to link. This is used only on Linux on x86-64
 * and AArch64, where integers and pointers are passed in registers, and a function ignores
 * registers for which it has no parameter. Thread safe.
 */
@SuppressWarnings("restricted") // the manifests of the executable jars allow it
public final class NativeCalls {
  private static final Set<String> ARCHITECTURES = Set.of("amd64", "aarch64");

  private NativeCalls() {}

  /** Initialized on known platforms only. */
  private static final class Library {
    static final Linker LINKER = Linker.nativeLinker();
    static final SymbolLookup SYMBOLS = LINKER.defaultLookup();
    static final FunctionDescriptor SHAPE =
        FunctionDescriptor.of(
            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

    private Library() {}
  }

  /** Whether this system is supported. */
  public static boolean arePossible() {
    return System.getProperty("os.name", "").equals("Linux")
        && ARCHITECTURES.contains(System.getProperty("os.arch", ""));
  }

  /** Finds a function; empty if the library has none of that name. */
  public static Optional<MethodHandle> find(String name) {
    return Library.SYMBOLS
        .find(name)
        .map(function -> Library.LINKER.downcallHandle(function, Library.SHAPE));
  }

  /** Finds a variable of the library. */
  static MemorySegment variable(String name) {
    return Library.SYMBOLS.findOrThrow(name);
  }

  /** Calls a function that {@link #find} returned. */
  public static long call(MethodHandle function, long a, long b, long c, long d, long e, long f) {
    try {
      return (long) function.invokeExact(a, b, c, d, e, f);
    } catch (RuntimeException | Error thrown) {
      throw thrown;
    } catch (Throwable thrown) {
      throw new IllegalStateException("no function of the C library throws", thrown);
    }
  }
}
