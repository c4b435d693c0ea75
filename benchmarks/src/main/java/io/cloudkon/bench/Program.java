package io.cloudkon.bench;

import io.cloudkon.core.error.CloudKonException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** A program of CloudKon in a JVM of its own. Its output goes to a file. Not thread safe. */
final class Program implements AutoCloseable {
  private static final long END_SECONDS = 60;
  private static final long CHECK_SECONDS = 1;
  private static final long PAUSE_MILLIS = 20;
  private static final Pattern USERS_OPTIONS =
      Pattern.compile("^(NOTE: )?Picked up \\w+_OPTIONS: .*\\n", Pattern.MULTILINE);

  private final String name;
  private final Process process;
  private final Path output;
  private final Path measured;
  private final Check check;

  private Program(String name, Process process, Path output, Path measured, Check check) {
    this.name = name;
    this.process = process;
    this.output = output;
    this.measured = measured;
    this.check = check;
  }

  /** Checks what a program depends on. */
  interface Check {
    /**
     * Returns if all is well.
     *
     * @throws CloudKonException if the program would wait in vain
     */
    void check() throws IOException;
  }

  /**
   * Starts a program. It ends if this process does.
   *
   * @param folder its working folder, also for its output
   * @param environment added to that of this process, as {@link BenchProcesses} isolates it
   * @param before a command that becomes the JVM, with its arguments; empty for none
   * @param jar a jar whose classes come before those of this process; empty for none
   */
  static Program start(
      String name,
      Path folder,
      Map<String, String> environment,
      List<String> before,
      List<String> jvmOptions,
      Optional<Path> jar,
      String main,
      List<String> args)
      throws IOException {
    Path output = folder.resolve(name + ".log");
    Path measured = folder.resolve(name + ".measured");
    List<String> command = new ArrayList<>(before);
    command.add(java());
    command.addAll(jvmOptions);
    command.addAll(
        List.of(
            "-cp",
            jar.map(first -> first + File.pathSeparator).orElse("") + classPath(),
            Measured.class.getName(),
            measured.toString(),
            main));
    command.addAll(args);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.directory(folder.toFile()).redirectErrorStream(true).redirectOutput(output.toFile());
    Process process = BenchProcesses.start(builder, environment);
    return new Program(name, process, output, measured, () -> {});
  }

  /** The same program, whose waits end with the exception of this check if it fails meanwhile. */
  Program watching(Check meanwhile) {
    return new Program(name, process, output, measured, meanwhile);
  }

  /** The class path of this process. */
  static String classPath() {
    return System.getProperty("java.class.path");
  }

  /** The Java executable that runs this process. */
  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** Waits for its end, which must be successful. */
  Program end() throws IOException, InterruptedException {
    while (!process.waitFor(CHECK_SECONDS, TimeUnit.SECONDS)) {
      check.check();
    }
    int code = process.exitValue();
    if (code != 0) {
      throw new CloudKonException("%s ended with %d:%n%s".formatted(name, code, output()));
    }
    return this;
  }

  /** Writes a line to its standard input. */
  void tell(String line) throws IOException {
    process.outputWriter().write(line);
    process.outputWriter().newLine();
    process.outputWriter().flush();
  }

  /**
   * Waits until it has printed this number of lines with this prefix.
   *
   * @return the last of them, without the prefix
   * @throws CloudKonException if it ends before
   */
  String await(String prefix, int number) throws IOException, InterruptedException {
    while (true) {
      boolean over = ended(); // asked first, as it may print the line and end
      List<String> found = lines().stream().filter(line -> line.startsWith(prefix)).toList();
      if (found.size() >= number) {
        return found.get(number - 1).substring(prefix.length());
      }
      if (over) {
        throw new CloudKonException(
            "%s ended early; expected another line '%s…':%n%s".formatted(name, prefix, output()));
      }
      check.check();
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    }
  }

  /** Its name, which is that of its files. */
  String name() {
    return name;
  }

  /** Whether it has ended. */
  boolean ended() {
    return !process.isAlive();
  }

  /**
   * Its output so far, of which the last line may be half written. What the JVM says of options in
   * the user's environment is left out.
   */
  String output() throws IOException {
    return USERS_OPTIONS.matcher(Files.readString(output)).replaceAll("");
  }

  /** The whole lines of its output so far. */
  List<String> lines() throws IOException {
    String text = output();
    return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
  }

  /** Its peak heap, in MiB; available once it has ended. */
  long peakHeapMib() throws IOException {
    return Long.parseLong(Files.readString(measured).split(" ")[0]) >> 20;
  }

  /** Its processor time, in seconds; available once it has ended. */
  double cpuSeconds() throws IOException {
    return Long.parseLong(Files.readString(measured).split(" ")[1]) / 1000.0;
  }

  /** Asks it to end. */
  void signal() {
    process.destroy();
  }

  /** Kills it if it still runs. */
  void kill() {
    process.destroyForcibly();
  }

  /** Ends it if it still runs. */
  @Override
  public void close() throws InterruptedException {
    signal();
    try {
      boolean unused = process.waitFor(END_SECONDS, TimeUnit.SECONDS);
    } finally {
      kill();
    }
    process.waitFor();
  }
}
