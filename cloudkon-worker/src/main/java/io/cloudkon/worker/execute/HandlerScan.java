package io.cloudkon.worker.execute;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.handler.RankHandler;
import io.cloudkon.core.handler.TaskHandler;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One search for handlers through a class loader. Every error names the jar that caused it. */
final class HandlerScan {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");

  private final ClassLoader loader;
  private final HandlerJars jars;
  private final Map<String, TaskHandler> tasks;
  private final Map<String, RankHandler> ranks;

  /**
   * A scan that has not begun.
   *
   * @param known the handlers of the loader's parents
   */
  HandlerScan(ClassLoader loader, HandlerJars jars, HandlerSet known) {
    this.loader = loader;
    this.jars = jars;
    this.tasks = new HashMap<>(known.tasks());
    this.ranks = new HashMap<>(known.ranks());
  }

  /** The known handlers and those that the loader finds. */
  HandlerSet handlers() {
    try {
      scan(TaskHandler.class, TaskHandler::name, tasks);
      scan(RankHandler.class, RankHandler::name, ranks);
    } catch (ServiceConfigurationError | LinkageError e) {
      throw new UsageException(jars.option() + ": " + place(e) + " failed: " + reason(e), e);
    }
    return new HandlerSet(tasks, ranks);
  }

  private <H> void scan(Class<H> kind, Function<H, @Nullable String> named, Map<String, H> found) {
    for (H handler : ServiceLoader.load(kind, loader)) {
      if (found.values().stream().noneMatch(other -> other.getClass() == handler.getClass())) {
        String name = nameOf(handler, named);
        free(name, handler);
        found.put(name, handler);
      }
    }
  }

  /** Rejects a name that is taken by either kind: a workload's line does not say which it means. */
  private void free(String name, Object handler) {
    Object other = tasks.containsKey(name) ? tasks.get(name) : ranks.get(name);
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

  private <H> String nameOf(H handler, Function<H, @Nullable String> named) {
    String name;
    try {
      name = named.apply(handler);
    } catch (RuntimeException e) {
      throw new UsageException(jars.option() + ": " + origin(handler) + " has no name: " + e, e);
    }
    if (name == null || !NAME.matcher(name).matches()) {
      throw new UsageException(
          jars.option()
              + ": "
              + origin(handler)
              + " calls itself '"
              + name
              + "': a name has letters, digits, dot, dash and underscore only");
    }
    return name;
  }

  private String origin(Object handler) {
    String type = handler.getClass().getName();
    ClassLoader home = handler.getClass().getClassLoader();
    if (HandlerScan.class.getClassLoader().equals(home)) {
      return "the built-in " + type;
    }
    Path jar = loader.equals(home) ? jars.providers().get(type) : null;
    return jar == null ? type + " of the worker's --handlers" : type + " of " + jars.name(jar);
  }

  /** The jar that the loader's message concerns; the message names a jar's file or a class. */
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
