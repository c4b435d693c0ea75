package io.cloudkon.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A checkout of the launcher alone, with stand-ins for Maven and for other programs.
 *
 * @param home of the checkout
 * @param programs the folder that is first on the {@code PATH}
 */
record BareCheckout(Path home, Path programs) {
  static BareCheckout below(Path folder) throws IOException {
    Path home = Files.createDirectory(folder.resolve("checkout")).toRealPath();
    Files.copy(Started.HOME.resolve("cloudkon"), home.resolve("cloudkon"));
    Files.createFile(home.resolve("pom.xml"));
    return new BareCheckout(home, Files.createDirectories(folder.resolve("bin")));
  }

  /** The lock of its build. */
  Path lock() {
    return home.resolve("target/cloudkon-build.lock");
  }

  /** The mark of a build that has not ended. */
  Path building() {
    return home.resolve("target/cloudkon-building");
  }

  /** Where the build of a module leaves its program. */
  Path jar(String module) {
    String name = module.startsWith("cloudkon-") ? module : "cloudkon-" + module;
    String file = module.equals("localstack") ? "cloudkon-local" : name;
    return home.resolve(module).resolve("target").resolve(file + ".jar");
  }

  Path makeJar(String module) throws IOException {
    Files.createDirectories(jar(module).getParent());
    return Files.writeString(jar(module), "a jar");
  }

  /** A Maven that takes the client's jar from where it was built. */
  String buildsClient() {
    Path jar = jar("cloudkon-client");
    return "mkdir -p '%s' && cp '%s' '%s'\n"
        .formatted(
            jar.getParent(),
            Started.HOME.resolve("cloudkon-client/target/cloudkon-client.jar"),
            jar);
  }

  /** A program that is found before all others of its name. */
  void program(String name, String script) throws IOException {
    script(programs.resolve(name), script);
  }

  /** A JDK whose {@code java} is a script; returns its home. */
  static Path jdk(Path home, String java) throws IOException {
    Files.createDirectories(home.resolve("bin"));
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
    script(home.resolve("bin/java"), java);
    script(home.resolve("bin/javac"), "exit 1\n");
    return home;
  }

  private static void script(Path file, String script) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Starts a command in the checkout, with the JDK of this test unless another one is named. */
  Started start(Map<String, String> environment, String... command) throws Exception {
    return Started.of(List.of(command), surroundings(environment), home);
  }

  /** Starts the launcher. */
  Started cloudkon(Map<String, String> environment, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("./cloudkon"));
    command.addAll(List.of(arguments));
    return start(environment, command.toArray(String[]::new));
  }

  Map<String, String> surroundings(Map<String, String> environment) {
    Map<String, String> all = new HashMap<>();
    all.put("PATH", programs + ":" + System.getenv("PATH"));
    all.put("JAVA_HOME", System.getProperty("java.home"));
    all.put("CLOUDKON_BUILD", "");
    all.put("CLOUDKON_AOT", "off");
    all.putAll(environment);
    return all;
  }
}
