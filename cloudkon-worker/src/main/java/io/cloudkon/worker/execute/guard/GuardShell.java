package io.cloudkon.worker.execute.guard;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.core.process.GroupLaunch;
import io.cloudkon.worker.execute.spawn.PendingStarts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One run of {@code guard.sh}: sends lines to it and receives its answers. Thread safe. */
final class GuardShell {
  private static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final int NONE = -1;

  /** The variable that passes the script: as an argument it would fill process lists. */
  private static final String SCRIPT = "CLOUDKON_GUARD_SCRIPT";

  private final Process process;
  private final int lifeline;
  private final OutputStream out;
  private final Thread reader;
  private final LongConsumer killed;
  private final LongConsumer left;
  private final Consumer<GuardShell> ended;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition heard = lock.newCondition();
  private long asked;
  private long answered;
  private boolean over;

  private GuardShell(
      Process process,
      int lifeline,
      LongConsumer killed,
      LongConsumer left,
      Consumer<GuardShell> ended) {
    this.process = process;
    this.lifeline = lifeline;
    this.out = process.getOutputStream();
    this.killed = killed;
    this.left = left;
    this.ended = ended;
    this.reader = Thread.ofPlatform().name("cloudkon-guard").daemon().unstarted(this::read);
  }

  /**
   * Starts a shell and waits until it serves.
   *
   * @param rule the user as whom it searches for processes that left their group, and removes their
   *     files
   * @param register the groups that it kills besides those that it is told of; null if there is
   *     none
   * @param killed receives each group that it killed for a missed beat
   * @param left receives each group that was not empty when it was released
   * @param ended receives the shell, in the reader's thread, if it ends after it has served
   */
  static GuardShell start(
      GroupLaunch launch,
      Ticks ticks,
      String mark,
      StartRule rule,
      @Nullable GroupRegister register,
      LongConsumer killed,
      LongConsumer left,
      Consumer<GuardShell> ended)
      throws IOException {
    List<String> argv =
        List.of(
            launch.shell().toString(),
            "-c",
            "eval \"$" + SCRIPT + "\"",
            "cloudkon-guard",
            Long.toString(ticks.perDeadline()),
            ticks.seconds(),
            mark,
            register == null ? "" : register.path().toString());
    ProcessBuilder builder =
        new ProcessBuilder(launch.command(argv)).redirectError(ProcessBuilder.Redirect.DISCARD);
    // tasks could read the environment of what it runs as their user
    rule.environment().strip(builder.environment());
    builder.environment().put(SCRIPT, TaskUser.asUser(rule.user()) + script());
    Process process = PendingStarts.OF_THIS_PROCESS.during(builder::start);
    try {
      launch.group(process);
      int lifeline = register == null ? NONE : Lifeline.to(process.pid());
      GuardShell shell = new GuardShell(process, lifeline, killed, left, ended);
      shell.out.write(GroupLaunch.GO.getBytes(UTF_8));
      shell.reader.start();
      shell.confirm();
      return shell;
    } catch (IOException e) {
      process.destroyForcibly();
      throw new IOException("the guard of exec tasks does not start: " + e.getMessage(), e);
    }
  }

  /** This process's descriptor of the pipe to the shell; -1 if the shell has no register. */
  int lifeline() {
    return lifeline;
  }

  /** Sends a line to the shell; an error means that the shell is gone. */
  void send(String line) throws IOException {
    lock.lock();
    try {
      out.write((line + '\n').getBytes(UTF_8));
      out.flush();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until the shell has done all that it was told, and all its answers so far were received.
   */
  void confirm() throws IOException {
    lock.lock();
    try {
      long mine = ++asked;
      send("p " + mine);
      long rest = ANSWER_NANOS;
      while (answered < mine) {
        if (over || rest <= 0) {
          throw new IOException("it does not answer");
        }
        rest = heard.awaitNanos(rest);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for its answer", e);
    } finally {
      lock.unlock();
    }
  }

  /** Lets the shell kill all remaining groups, and waits for its end. */
  void close() {
    try {
      out.close();
      if (!process.waitFor(ANSWER_NANOS, TimeUnit.NANOSECONDS)) {
        process.destroyForcibly();
      }
      reader.join(TimeUnit.NANOSECONDS.toMillis(ANSWER_NANOS));
    } catch (IOException e) {
      process.destroyForcibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Kills the rest of the shell, so that only its successor kills groups. */
  void abandon() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    try {
      out.close();
    } catch (IOException e) {
      // the pipe has no reader, which is why the shell is abandoned
    }
  }

  private void read() {
    try (BufferedReader lines = process.inputReader(UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        hear(line);
      }
    } catch (IOException e) {
      // equivalent to end of file: no more answers can arrive
    }
    end();
  }

  private void hear(String line) {
    long number = Long.parseLong(line.substring(2));
    if (line.startsWith("x ")) {
      killed.accept(number);
    } else if (line.startsWith("l ")) {
      left.accept(number);
    } else {
      lock.lock();
      try {
        answered = number;
        heard.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  private void end() {
    boolean served;
    lock.lock();
    try {
      over = true;
      served = answered > 0;
      heard.signalAll();
    } finally {
      lock.unlock();
    }
    if (served) {
      ended.accept(this);
    }
  }

  /** The script without its comments. */
  private static String script() throws IOException {
    try (InputStream in = GuardShell.class.getResourceAsStream("guard.sh")) {
      String whole = new String(Objects.requireNonNull(in, "guard.sh").readAllBytes(), UTF_8);
      return whole
          .lines()
          .filter(line -> !line.stripLeading().startsWith("#"))
          .collect(Collectors.joining("\n", "", "\n"));
    }
  }
}
