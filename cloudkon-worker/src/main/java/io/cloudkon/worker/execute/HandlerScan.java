package io.cloudkon.worker.execute;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.handler.TaskHandler;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One look for handlers through a class loader; every mistake names the jar that it is in. */
final class HandlerScan {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");

  private final ClassLoader loader;
  private final HandlerJars jars;
  private final Map<String, TaskHandler> found;

  /**
   * A scan that has not begun.
   *
   * @param known what is there already: what the loader's parents have
   */
  HandlerScan(ClassLoader loader, HandlerJars jars, Map<String, TaskHandler> known) {
    this.loader = loader;
    this.jars = jars;
    this.found = new HashMap<>(known);
  }

  /** What was known, and what the loader finds besides. */
  Map<String, TaskHandler> handlers() {
    try {
      for (TaskHandler handler : ServiceLoader.load(TaskHandler.class, loader)) {
        if (found.values().stream().noneMatch(other -> other.getClass() == handler.getClass())) {
          add(handler);
        }
      }
    } catch (ServiceConfigurationError | LinkageError e) {
      throw new UsageException(jars.option() + ": " + place(e) + " failed: " + reason(e), e);
    }
    return Map.copyOf(found);
  }

  private void add(TaskHandler handler) {
    String name = nameOf(handler);
    if (name == null || !NAME.matcher(name).matches()) {
      throw new UsageException(
          jars.option()
              + ": "
              + origin(handler)
              + " calls itself '"
              + name
              + "': a name has letters, digits, dot, dash and underscore only");
    }
    TaskHandler other = found.put(name, handler);
    if (other != null) {
      throw new UsageException(
          jars.option()
              + ": two handlers are named '"
              + name
              + "': "
              + origin(other)
              + " and "
              + origin(handler));
    }
  }

  private @Nullable String nameOf(TaskHandler handler) {
    try {
      return handler.name();
    } catch (RuntimeException e) {
      throw new UsageException(jars.option() + ": " + origin(handler) + " has no name: " + e, e);
    }
  }

  private String origin(TaskHandler handler) {
    String type = handler.getClass().getName();
    ClassLoader home = handler.getClass().getClassLoader();
    if (HandlerScan.class.getClassLoader().equals(home)) {
      return "the built-in " + type;
    }
    Path jar = loader.equals(home) ? jars.providers().get(type) : null;
    return jar == null ? type + " of the worker's --handlers" : type + " of " + jars.name(jar);
  }

  /** The jar that the loader's message is about: it names a jar's file, or a class in some form. */
  private String place(Throwable e) {
    String message = String.valueOf(e.getMessage()).replace('/', '.');
    return jars.providers().entrySet().stream()
        .filter(p -> message.contains(p.getKey()) || message.contains(dotted(p.getValue())))
        .max(Comparator.comparingInt(p -> p.getKey().length()))
        .map(p -> jars.name(p.getValue()))
        .orElse(
            jars.providers().isEmpty()
                ? "the worker's class path"
                : "one of " + jars.providers().values().stream().map(jars::name).toList());
  }

  private static String dotted(Path jar) {
    return jar.toUri().getRawPath().replace('/', '.');
  }

  private static String reason(Throwable e) {
    Throwable cause = e.getCause();
    return cause == null ? String.valueOf(e.getMessage()) : e.getMessage() + ": " + cause;
  }
}
