package io.cloudkon.worker.execute;

import io.cloudkon.core.handler.RankHandler;
import io.cloudkon.core.handler.TaskHandler;
import java.io.IOException;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The handlers of a worker by name, for tasks and for ranks: the built-in ones, those of a
 * directory's jars, and for the tasks of one run those of shipped jars. Immutable and thread safe.
 * Closing it closes the jars.
 */
public final class HandlerRegistry implements AutoCloseable {
  private final HandlerSet handlers;
  private final @Nullable URLClassLoader jars;

  private HandlerRegistry(HandlerSet handlers, @Nullable URLClassLoader jars) {
    this.handlers = handlers;
    this.jars = jars;
  }

  /**
   * Only the handlers on the worker's own class path: {@code echo}, {@code pi}, {@code sha256}, and
   * for ranks {@code barrier} and {@code ring}.
   */
  public static HandlerRegistry builtIn() {
    ClassLoader own = HandlerRegistry.class.getClassLoader();
    HandlerScan scan = new HandlerScan(own, HandlerJars.none(), HandlerSet.EMPTY);
    return new HandlerRegistry(scan.handlers(), null);
  }

  /**
   * The built-in handlers and those of every {@code *.jar} in a directory. The jars share one class
   * loader beneath the worker's, so a jar may use classes of another.
   *
   * @throws io.cloudkon.core.error.UsageException naming the jar, if the directory is missing or
   *     holds no jar or no handler, a jar is broken, a provider cannot be made, or a name is taken
   */
  public static HandlerRegistry load(Path jarDir) {
    return builtIn().with(HandlerJars.of(jarDir));
  }

  /**
   * These handlers and those of shipped jars, which share one class loader beneath the worker's:
   * each jar among the given files, and each that lies directly in one of the given folders. It is
   * no error if there are no jars, or none with handlers. Closing the result leaves this one open.
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
    return handlers.tasks().get(name);
  }

  /** The handler for ranks of this name, or null. */
  @Nullable RankHandler findRank(String name) {
    return handlers.ranks().get(name);
  }

  /** The names of the handlers for tasks, in order. */
  public Set<String> names() {
    return new TreeSet<>(handlers.tasks().keySet());
  }

  /** The names of the handlers for ranks, in order. */
  public Set<String> rankNames() {
    return new TreeSet<>(handlers.ranks().keySet());
  }

  @Override
  public void close() throws IOException {
    if (jars != null) {
      jars.close();
    }
  }
}
