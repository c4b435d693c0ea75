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
  private final Map<String, Path> providers;
  private final Map<String, TaskHandler> found = new HashMap<>();

  HandlerScan(ClassLoader loader, Map<String, Path> providers) {
    this.loader = loader;
    this.providers = providers;
  }

  Map<String, TaskHandler> handlers() {
    try {
      for (TaskHandler handler : ServiceLoader.load(TaskHandler.class, loader)) {
        add(handler);
      }
    } catch (ServiceConfigurationError | LinkageError e) {
      throw new UsageException("--handlers: " + place(e) + " failed: " + reason(e), e);
    }
    return Map.copyOf(found);
  }

  private void add(TaskHandler handler) {
    String name = nameOf(handler);
    if (name == null || !NAME.matcher(name).matches()) {
      throw new UsageException(
          "--handlers: "
              + origin(handler)
              + " calls itself '"
              + name
              + "': a name has letters, digits, dot, dash and underscore only");
    }
    TaskHandler other = found.put(name, handler);
    if (other != null) {
      throw new UsageException(
          "--handlers: two handlers are named '"
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
      throw new UsageException("--handlers: " + origin(handler) + " has no name: " + e, e);
    }
  }

  private String origin(TaskHandler handler) {
    String type = handler.getClass().getName();
    Path jar = loader.equals(handler.getClass().getClassLoader()) ? providers.get(type) : null;
    return jar == null ? "the built-in " + type : type + " of " + jar;
  }

  /** The jar that the loader's message is about: it names a jar's file, or a class in some form. */
  private String place(Throwable e) {
    String message = String.valueOf(e.getMessage()).replace('/', '.');
    return providers.entrySet().stream()
        .filter(p -> message.contains(p.getKey()) || message.contains(dotted(p.getValue())))
        .max(Comparator.comparingInt(p -> p.getKey().length()))
        .map(p -> p.getValue().toString())
        .orElse(providers.isEmpty() ? "the worker's class path" : "one of " + providers.values());
  }

  private static String dotted(Path jar) {
    return jar.toUri().getRawPath().replace('/', '.');
  }

  private static String reason(Throwable e) {
    Throwable cause = e.getCause();
    return cause == null ? String.valueOf(e.getMessage()) : e.getMessage() + ": " + cause;
  }
}
