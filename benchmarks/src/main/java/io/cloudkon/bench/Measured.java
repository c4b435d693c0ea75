package io.cloudkon.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Runs another program in this JVM and records its resources: {@code Measured FILE MAIN ARGS…}. The
 * file gets two numbers: the peak heap in bytes (the sum of each space's peak, which is an upper
 * bound), and the processor time in milliseconds. The program ends if the process that started it
 * does, in whatever way.
 */
public final class Measured {
  private static final int ORPHANED = 1;

  private Measured() {}

  public static void main(String[] args) throws Throwable {
    Path file = Path.of(args[0]);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> write(file), "measured"));
    ProcessHandle.current()
        .parent()
        .ifPresent(parent -> {
          var unused = parent.onExit().thenRun(() -> System.exit(ORPHANED));
        });
    try {
      Class.forName(args[1])
          .getMethod("main", String[].class)
          .invoke(null, (Object) Arrays.copyOfRange(args, 2, args.length));
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static void write(Path file) {
    long peak = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getType() == MemoryType.HEAP) {
        peak += pool.getPeakUsage().getUsed();
      }
    }
    long cpu = ProcessHandle.current().info().totalCpuDuration().map(d -> d.toMillis()).orElse(0L);
    try {
      Files.writeString(file, peak + " " + cpu);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
