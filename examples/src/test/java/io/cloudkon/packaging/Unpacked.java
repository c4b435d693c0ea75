package io.cloudkon.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The archive that users install, unpacked below a folder whose name has blanks, with a {@code
 * PATH} on which its command is a symbolic link and Maven is not.
 *
 * @param home of the installation
 * @param path the only folder of programs
 * @param caches where the user's caches lie
 * @param work an empty folder to work in
 */
record Unpacked(Path home, Path path, Path caches, Path work) {
  private static final String VERSION = versionOf(Started.HOME.resolve("pom.xml"));

  static final Path ARCHIVE =
      Started.HOME.resolve("distribution/target/cloudkon-%s.tar.gz".formatted(VERSION));

  private static String versionOf(Path pom) {
    try {
      Matcher version = Pattern.compile("<version>(.*)</version>").matcher(Files.readString(pom));
      assertThat(version.find()).isTrue();
      return version.group(1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String version() {
    return VERSION;
  }

  static Unpacked below(Path folder) throws IOException, InterruptedException {
    Path place = Files.createDirectory(folder.resolve("a place with blanks"));
    Started tar =
        Started.of(List.of("tar", "-xzf", ARCHIVE.toString(), "-C", place.toString()), Map.of());
    assertThat(tar.exitCode()).as(tar.stderr()).isZero();
    Path home = place.resolve("cloudkon-" + VERSION);
    Path path = Files.createDirectory(place.resolve("programs"));
    linkAllButMaven(path);
    Files.createSymbolicLink(path.resolve("cloudkon"), home.resolve("bin/cloudkon"));
    return new Unpacked(
        home, path, place.resolve("user caches"), Files.createDirectory(place.resolve("work")));
  }

  private static void linkAllButMaven(Path path) throws IOException {
    for (String folder : System.getenv("PATH").split(":")) {
      if (Files.isDirectory(Path.of(folder))) {
        try (Stream<Path> programs = Files.list(Path.of(folder))) {
          for (Path program : programs.filter(Files::isExecutable).toList()) {
            Path link = path.resolve(program.getFileName());
            if (!program.endsWith("mvn") && Files.notExists(link, LinkOption.NOFOLLOW_LINKS)) {
              Files.createSymbolicLink(link, program);
            }
          }
        }
      }
    }
  }

  /** The folder of AOT caches. */
  Path aot() {
    return caches.resolve("cloudkon/aot");
  }

  /** The command, as a user types it. */
  Started cloudkon(String... arguments) throws IOException, InterruptedException {
    return cloudkon(Map.of(), arguments);
  }

  Started cloudkon(Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(path.resolve("cloudkon").toString()));
    command.addAll(List.of(arguments));
    return start(environment, command);
  }

  /** Another program, in the same surroundings. */
  Started start(Map<String, String> environment, List<String> command)
      throws IOException, InterruptedException {
    Map<String, String> all = new HashMap<>();
    all.put("PATH", path.toString());
    all.put("JAVA_HOME", System.getProperty("java.home"));
    all.put("XDG_CACHE_HOME", caches.toString());
    all.putAll(environment);
    return Started.of(command, all, work);
  }

  /** Everything below the installation, with times: what must stay as it is. */
  Map<String, String> content() throws IOException {
    Map<String, String> content = new TreeMap<>();
    try (Stream<Path> all = Files.walk(home)) {
      for (Path file : all.toList()) {
        content.put(
            home.relativize(file).toString(),
            Files.getLastModifiedTime(file) + " " + Files.size(file));
      }
    }
    return content;
  }
}
