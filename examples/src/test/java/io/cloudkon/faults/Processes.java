package io.cloudkon.faults;

import io.cloudkon.core.aws.Faults;
import io.cloudkon.core.aws.FaultsOfEnvironment;
import io.cloudkon.core.process.AotCache;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Starts this build's jars as processes of their own. */
public final class Processes {
  /** The java that runs this test. */
  public static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

  /** For what is over before better code would pay. */
  private static final List<String> QUICK =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx192m");

  /** The main class of every jar. */
  private static final String MAIN = "io.cloudkon.launch.Main";

  private Processes() {}

  /** The executable jar of a module, which is named like it. */
  public static Path jar(String module) {
    Path home = Path.of(System.getProperty("cloudkon.home"));
    return home.resolve(module).resolve("target").resolve(module + ".jar");
  }

  /**
   * Starts a module's jar, with nothing on its standard input.
   *
   * @param environment all it knows of AWS and CloudKon: this process's own is hidden from it; one
   *     that asks for faults gets what injects them beside the jar
   * @param folder where it runs, and where its output is kept
   * @param options of the JVM, besides those for a quick start
   */
  public static Running start(
      String module,
      List<String> options,
      List<String> arguments,
      Map<String, String> environment,
      Path folder) {
    List<String> command = command(module, options, arguments, environment);
    return start(command, Path.of("/dev/null"), environment, folder);
  }

  /** What runs a module's jar, in an environment. */
  static List<String> command(
      String module,
      List<String> options,
      List<String> arguments,
      Map<String, String> environment) {
    Path jar = jar(module);
    List<String> command = new ArrayList<>(List.of(JAVA.toString()));
    command.addAll(AotCache.options(jar));
    command.addAll(QUICK);
    command.addAll(options);
    if (environment.containsKey(Faults.VARIABLE)) {
      String both = jar + File.pathSeparator + injector();
      // what the manifest says to -jar alone
      command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", both, MAIN));
    } else {
      command.addAll(List.of("-jar", jar.toString()));
    }
    command.addAll(arguments);
    return command;
  }

  /** The core's tests: no jar of this build can inject a fault. */
  private static Path injector() {
    try {
      return Path.of(
          FaultsOfEnvironment.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Starts any command, which reads this file. */
  public static Running start(
      List<String> command, Path input, Map<String, String> environment, Path folder) {
    try {
      Path out = Files.createTempFile(folder, "stdout", ".txt");
      Path err = Files.createTempFile(folder, "stderr", ".txt");
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectInput(input.toFile())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      builder
          .environment()
          .keySet()
          .removeIf(name -> name.startsWith("AWS_") || name.startsWith("CLOUDKON_"));
      builder.environment().put("AWS_EC2_METADATA_DISABLED", "true");
      builder.environment().putAll(environment);
      return new Running(builder.start(), out, err);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends a signal, by the name that {@code kill} knows it by. */
  static void signal(ProcessHandle process, String signal) {
    try {
      String pid = Long.toString(process.pid());
      if (new ProcessBuilder("kill", "-" + signal, pid).start().waitFor() != 0) {
        throw new AssertionError("process " + pid + " is gone");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
