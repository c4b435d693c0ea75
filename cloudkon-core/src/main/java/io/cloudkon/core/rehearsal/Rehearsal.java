package io.cloudkon.core.rehearsal;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs several commands of a program in one JVM, which records the loaded classes for an AOT cache.
 * The build and the launcher start it; it is not a command.
 *
 * <p>Usage: {@code Rehearsal [--alone] MAIN ARGUMENTS [--then ARGUMENTS]…}. MAIN is a class with a
 * public {@code static int run(String…)}. If a command fails, the rehearsal ends with its exit
 * code. With {@code --alone} there is no emulator: the commands use an empty cloud instead, and
 * failures are ignored. The rehearsal ends after a minute in any case.
 */
public final class Rehearsal {
  private static final String ALONE = "--alone";
  private static final String SEPARATOR = "--then";
  private static final long LIMIT_SECONDS = 60;
  private static final int TOO_LONG = 3;

  private Rehearsal() {}

  public static void main(String[] args) throws Exception {
    FutureTask<Integer> commands = new FutureTask<>(() -> run(args));
    Thread.ofPlatform().daemon().name("rehearsal").start(commands);
    int code = TOO_LONG;
    try {
      code = commands.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      System.err.println("the rehearsal took longer than %d s".formatted(LIMIT_SECONDS));
    } catch (ExecutionException e) {
      System.err.println("the rehearsal failed: " + e.getCause());
    }
    System.exit(code);
  }

  /** Runs the commands, one after the other. Returns the exit code. */
  static int run(String... args) throws IOException, ReflectiveOperationException {
    List<String> words = Arrays.asList(args);
    if (!words.getFirst().equals(ALONE)) {
      return run(program(words.getFirst()), words.subList(1, words.size()), false);
    }
    try (EmptyCloud cloud = EmptyCloud.start()) {
      cloud.settings().forEach(System::setProperty);
      return run(program(words.get(1)), words.subList(2, words.size()), true);
    }
  }

  private static MethodHandle program(String main) throws ReflectiveOperationException {
    return MethodHandles.lookup()
        .findStatic(Class.forName(main), "run", MethodType.methodType(int.class, String[].class))
        .asFixedArity();
  }

  private static int run(MethodHandle program, List<String> words, boolean goesOn) {
    List<String> left = words;
    while (!left.isEmpty()) {
      int end = left.indexOf(SEPARATOR);
      List<String> command = end < 0 ? left : left.subList(0, end);
      left = end < 0 ? List.of() : left.subList(end + 1, left.size());
      int code = run(program, command.toArray(String[]::new));
      if (code != 0 && !goesOn) {
        return code;
      }
    }
    return 0;
  }

  private static int run(MethodHandle program, String[] command) {
    try {
      return (int) program.invokeExact(command);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
