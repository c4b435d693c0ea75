package io.cloudkon.faults;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * What befalls a worker. It is sent by this process itself: to start a {@code kill} takes longer
 * than some steps. Linux, by the numbers.
 */
enum Blow {
  KILL(9),
  FREEZE(19);

  @SuppressWarnings("restricted") // two numbers in, one out; tests may
  private static final MethodHandle SEND =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("kill"),
              FunctionDescriptor.of(
                  ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

  private final int signal;

  Blow(int signal) {
    this.signal = signal;
  }

  /** Falls at once. */
  void strike(WorkerProcess worker) {
    int failed;
    try {
      failed = (int) SEND.invokeExact((int) worker.pid(), signal);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    if (failed != 0) {
      throw new AssertionError("worker " + worker.pid() + " is gone");
    }
  }
}
