package io.cloudkon.worker.execute;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.handler.RankHandler;
import io.cloudkon.core.handler.TaskHandler;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Jars that may hold handlers, and their names in messages.
 *
 * @param option the option that named them
 * @param jars the jars, in class path order, each with the name that its user knows
 * @param providers the provider classes, each with the jar that names it
 */
record HandlerJars(String option, Map<Path, String> jars, Map<String, Path> providers) {
  private static final List<String> SERVICES =
      List.of(
          "META-INF/services/" + TaskHandler.class.getName(),
          "META-INF/services/" + RankHandler.class.getName());

  /** No jars at all. */
  static HandlerJars none() {
    return new HandlerJars("--handlers", Map.of(), Map.of());
  }

  /** The jars of a directory, at least one of which must name a handler. */
  static HandlerJars of(Path directory) {
    String option = "--handlers";
    if (!Files.isDirectory(directory)) {
      throw new UsageException("--handlers " + directory + ": no such directory");
    }
    Map<Path, String> jars = new LinkedHashMap<>();
    list(option, directory).forEach(jar -> jars.put(jar, jar.toString()));
    if (jars.isEmpty()) {
      throw new UsageException("--handlers " + directory + ": no *.jar in this directory");
    }
    HandlerJars found = read(option, jars);
    if (found.providers().isEmpty()) {
      throw new UsageException(
          "--handlers "
              + directory
              + ": no jar in it names a handler in "
              + String.join(" or ", SERVICES));
    }
    return found;
  }

  /** The jars among shipped files, and directly in shipped folders. */
  static HandlerJars shipped(List<Path> ships) {
    String option = "--ship";
    Map<Path, String> jars = new LinkedHashMap<>();
    for (Path ship : ships) {
      if (Files.isDirectory(ship)) {
        list(option, ship)
            .forEach(jar -> jars.put(jar, ship.getFileName() + "/" + jar.getFileName()));
      } else if (ship.toString().endsWith(".jar")) {
        jars.put(ship, ship.getFileName().toString());
      }
    }
    return read(option, jars);
  }

  private static HandlerJars read(String option, Map<Path, String> jars) {
    Map<String, Path> providers = new LinkedHashMap<>();
    jars.forEach((jar, name) ->
        providersOf(option, jar, name).forEach(type -> providers.putIfAbsent(type, jar)));
    return new HandlerJars(option, jars, providers);
  }

  /** The name by which its user knows the jar. */
  String name(Path jar) {
    return jars.getOrDefault(jar, jar.toString());
  }

  URLClassLoader loader(ClassLoader parent) {
    List<URL> urls = new ArrayList<>();
    for (Path jar : jars.keySet()) {
      try {
        urls.add(jar.toUri().toURL());
      } catch (MalformedURLException e) {
        throw new UsageException(option + ": " + name(jar) + " cannot be named by a URL", e);
      }
    }
    return new URLClassLoader("handlers", urls.toArray(URL[]::new), parent);
  }

  private static List<Path> list(String option, Path directory) {
    List<Path> jars = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, "*.jar")) {
      found.forEach(jars::add);
    } catch (IOException e) {
      throw new UsageException(option + " " + directory + ": cannot be read: " + e, e);
    }
    Collections.sort(jars);
    return jars;
  }

  private static List<String> providersOf(String option, Path jar, String name) {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      List<String> providers = new ArrayList<>();
      for (String services : SERVICES) {
        ZipEntry entry = zip.getEntry(services);
        if (entry != null) {
          new String(zip.getInputStream(entry).readAllBytes(), UTF_8)
              .lines()
              .map(line -> line.replaceFirst("#.*", "").strip())
              .filter(line -> !line.isEmpty())
              .forEach(providers::add);
        }
      }
      return providers;
    } catch (IOException e) {
      throw new UsageException(
          option + ": " + name + " is not a readable jar: " + e.getMessage(), e);
    }
  }
}
