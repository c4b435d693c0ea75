package io.cloudkon.worker.execute;

import io.cloudkon.core.handler.TaskHandler;
import java.io.IOException;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The handlers of a worker by name: the built-in ones, those of a directory's jars, and for the
 * tasks of one run those of shipped jars. Immutable and thread safe. Closing it closes the jars.
 */
public final class HandlerRegistry implements AutoCloseable {
  private final Map<String, TaskHandler> handlers;
  private final @Nullable URLClassLoader jars;

  private HandlerRegistry(Map<String, TaskHandler> handlers, @Nullable URLClassLoader jars) {
    this.handlers = handlers;
    this.jars = jars;
  }

  /** Only what is on the worker's own class path: {@code echo}, {@code pi}, {@code sha256}. */
  public static HandlerRegistry builtIn() {
    ClassLoader own = HandlerRegistry.class.getClassLoader();
    return new HandlerRegistry(new HandlerScan(own, HandlerJars.none(), Map.of()).handlers(), null);
  }

  /**
   * The built-in handlers and those of every {@code *.jar} in a directory. The jars share one class
   * loader beneath the worker's, so one may hold what another needs.
   *
   * @throws io.cloudkon.core.error.UsageException naming the jar, if the directory is missing or
   *     holds no jar or no handler, a jar is broken, a provider cannot be made, or a name is taken
   */
  public static HandlerRegistry load(Path jarDir) {
    return builtIn().with(HandlerJars.of(jarDir));
  }

  /**
   * These handlers and those of shipped jars, which share one class loader beneath the worker's:
   * each jar among the given files, and each that lies directly in one of the given folders. That
   * there is none, or none with handlers, is no mistake. Closing the result leaves this one open.
   *
   * @throws io.cloudkon.core.error.UsageException naming the jar, if a jar is broken, a provider
   *     cannot be made, or a name is taken
   */
  public HandlerRegistry with(List<Path> ships) {
    HandlerJars shipped = HandlerJars.shipped(ships);
    return shipped.providers().isEmpty() ? new HandlerRegistry(handlers, null) : with(shipped);
  }

  private HandlerRegistry with(HandlerJars more) {
    URLClassLoader loader = more.loader(HandlerRegistry.class.getClassLoader());
    try {
      return new HandlerRegistry(new HandlerScan(loader, more, handlers).handlers(), loader);
    } catch (RuntimeException | Error e) {
      try (loader) {
        throw e;
      } catch (IOException close) {
        e.addSuppressed(close);
        throw e;
      }
    }
  }

  /** The handler of this name, or null. */
  @Nullable TaskHandler find(String name) {
    return handlers.get(name);
  }

  /** All names, in order. */
  public Set<String> names() {
    return new TreeMap<>(handlers).navigableKeySet();
  }

  @Override
  public void close() throws IOException {
    if (jars != null) {
      jars.close();
    }
  }
}
