package io.cloudkon.worker.execute;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.core.error.UsageException;
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
 * The jars of a handler directory.
 *
 * @param jars in order of their names
 * @param providers which jar names which provider class, so that messages can say it
 */
record HandlerJars(List<Path> jars, Map<String, Path> providers) {
  private static final String SERVICES = "META-INF/services/" + TaskHandler.class.getName();

  static HandlerJars of(Path directory) {
    if (!Files.isDirectory(directory)) {
      throw new UsageException("--handlers " + directory + ": no such directory");
    }
    List<Path> jars = list(directory);
    if (jars.isEmpty()) {
      throw new UsageException("--handlers " + directory + ": no *.jar in this directory");
    }
    Map<String, Path> providers = new LinkedHashMap<>();
    for (Path jar : jars) {
      providersOf(jar).forEach(name -> providers.putIfAbsent(name, jar));
    }
    if (providers.isEmpty()) {
      throw new UsageException(
          "--handlers " + directory + ": no jar in it names a handler in " + SERVICES);
    }
    return new HandlerJars(jars, providers);
  }

  URLClassLoader loader(ClassLoader parent) {
    List<URL> urls = new ArrayList<>();
    for (Path jar : jars) {
      try {
        urls.add(jar.toUri().toURL());
      } catch (MalformedURLException e) {
        throw new UsageException("--handlers: " + jar + " cannot be named by a URL", e);
      }
    }
    return new URLClassLoader("handlers", urls.toArray(URL[]::new), parent);
  }

  private static List<Path> list(Path directory) {
    List<Path> jars = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, "*.jar")) {
      found.forEach(jars::add);
    } catch (IOException e) {
      throw new UsageException("--handlers " + directory + ": cannot be read: " + e, e);
    }
    Collections.sort(jars);
    return jars;
  }

  private static List<String> providersOf(Path jar) {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      ZipEntry services = zip.getEntry(SERVICES);
      if (services == null) {
        return List.of();
      }
      return new String(zip.getInputStream(services).readAllBytes(), UTF_8)
          .lines()
          .map(line -> line.replaceFirst("#.*", "").strip())
          .filter(line -> !line.isEmpty())
          .toList();
    } catch (IOException e) {
      throw new UsageException(
          "--handlers: " + jar + " is not a readable jar: " + e.getMessage(), e);
    }
  }
}
