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
 * Calls of the C library's functions, all by one shape, six longs and a long back, since every
 * further shape costs 10 ms to link. On Linux on x86-64 and AArch64, where alone this is used,
 * integers and pointers travel in registers, and a function does not look at those that it has no
 * parameter for. Thread safe.
 */
@SuppressWarnings("restricted") // the manifests of the executable jars allow it
public final class NativeCalls {
  private static final Set<String> ARCHITECTURES = Set.of("amd64", "aarch64");

  private NativeCalls() {}

  /** Touched on known platforms only. */
  private static final class Library {
    static final Linker LINKER = Linker.nativeLinker();
    static final SymbolLookup SYMBOLS = LINKER.defaultLookup();
    static final FunctionDescriptor SHAPE =
        FunctionDescriptor.of(
            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

    private Library() {}
  }

  /** Whether this is such a system. */
  public static boolean arePossible() {
    return System.getProperty("os.name", "").equals("Linux")
        && ARCHITECTURES.contains(System.getProperty("os.arch", ""));
  }

  /** A function to call; empty if the library has none of that name. */
  public static Optional<MethodHandle> find(String name) {
    return Library.SYMBOLS
        .find(name)
        .map(function -> Library.LINKER.downcallHandle(function, Library.SHAPE));
  }

  /** A variable of the library. */
  static MemorySegment variable(String name) {
    return Library.SYMBOLS.findOrThrow(name);
  }

  /** Calls a function that was found here. */
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
