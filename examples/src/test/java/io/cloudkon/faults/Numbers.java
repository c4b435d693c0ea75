package io.cloudkon.faults;

import io.cloudkon.core.handler.TaskHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Tasks that leave their numbers in a file when they start, and what is found there. */
final class Numbers {
  private final Path file;
  private final Path handlers;

  /** In this folder, which also gets the handler's jar. */
  Numbers(Path folder) {
    this.file = folder.resolve("numbers.txt");
    this.handlers = folder.resolve("handlers");
    try {
      Files.createDirectories(handlers);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    HandlerJar.write(handlers.resolve("append.jar"), TaskHandler.class, AppendHandler.class);
  }

  /** What a worker needs as {@code --handlers}. */
  String handlers() {
    return handlers.toString();
  }

  /** Lines 1 to {@code tasks} of a workload, each of which takes so long. */
  List<String> workload(int tasks, int millis) {
    return IntStream.rangeClosed(1, tasks)
        .mapToObj(number -> "java append %s %d %d".formatted(file, number, millis))
        .toList();
  }

  /** A line of a workload that takes until this file is there. */
  String waiting(int number, Path gate) {
    return "exec sh -c 'echo %d >> %s; until [ -e %s ]; do sleep 0.1; done'"
        .formatted(number, file, gate);
  }

  /** How often each number was left. */
  Map<String, Integer> starts() {
    Map<String, Integer> starts = new HashMap<>();
    try {
      Files.readAllLines(file).forEach(number -> starts.merge(number, 1, Integer::sum));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return starts;
  }
}
