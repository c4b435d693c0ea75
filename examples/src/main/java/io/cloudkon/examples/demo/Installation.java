package io.cloudkon.examples.demo;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.process.AotCache;
import io.cloudkon.core.process.ChildCollector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The checkout whose jars the demo starts, by the Java that runs the demo.
 *
 * @param home the checkout
 */
record Installation(Path home) {
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  /** For processes that share a small machine with six others. */
  private static final String SMALL = "-Xmx256m";

  /** For what is over before better code would pay. */
  private static final String QUICK = "-XX:TieredStopAtLevel=1";

  /** As the launcher tells it. */
  static Installation ofThisProcess() {
    String home = System.getProperty("cloudkon.home");
    if (home == null) {
      throw new UsageException(
          "the demo starts the jars of a checkout, and was not told of one; run ./cloudkon demo");
    }
    return new Installation(Path.of(home));
  }

  List<String> setup(String... arguments) {
    List<String> command = jar("cloudkon-client/target/cloudkon-client.jar", arguments);
    command.add(1, QUICK);
    return command;
  }

  List<String> client(String... arguments) {
    return jar("cloudkon-client/target/cloudkon-client.jar", arguments);
  }

  List<String> worker(String... arguments) {
    return jar("cloudkon-worker/target/cloudkon-worker.jar", arguments);
  }

  List<String> provisioner(String... arguments) {
    return jar("cloudkon-provisioner/target/cloudkon-provisioner.jar", arguments);
  }

  /** The embedded AWS, which ends with its standard input. */
  List<String> emulator() {
    List<String> command = jar("localstack/target/cloudkon-local.jar", "--until-stdin-closes");
    // or the JVM complains of one of its libraries
    command.add(1, "--sun-misc-unsafe-memory-access=allow");
    return command;
  }

  /** The folder with the examples' handler jar, as a user would hand it to a worker. */
  Path handlers() {
    String folder = "examples/target/handlers";
    built(folder + "/cloudkon-examples-mandelbrot.jar");
    return home.resolve(folder);
  }

  /** The workload of tiles. */
  Path tiles() {
    return built("examples/mandelbrot/tiles.txt");
  }

  private List<String> jar(String name, String... arguments) {
    List<String> command = new ArrayList<>();
    Path jar = built(name);
    command.add(JAVA);
    command.addAll(AotCache.options(jar));
    command.addAll(ChildCollector.options());
    command.addAll(List.of(SMALL, "-jar", jar.toString()));
    command.addAll(List.of(arguments));
    return command;
  }

  private Path built(String name) {
    Path file = home.resolve(name);
    if (!Files.isRegularFile(file)) {
      throw new UsageException(
          "%s is missing; build it with: mvn -DskipTests package".formatted(file));
    }
    return file;
  }
}
