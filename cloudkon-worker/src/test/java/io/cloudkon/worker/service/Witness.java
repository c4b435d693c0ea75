package io.cloudkon.worker.service;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.core.handler.TaskHandler;
import io.cloudkon.worker.execute.HandlerRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;

/**
 * A handler that counts its calls: the first argument names the task, the second says how it
 * behaves.
 */
public final class Witness implements TaskHandler {
  private static final Map<String, Integer> STARTS = new ConcurrentHashMap<>();
  private static final Map<String, Boolean> RELEASED = new ConcurrentHashMap<>();

  /** How often a task was started. */
  static int starts(String task) {
    return STARTS.getOrDefault(task, 0);
  }

  /** Lets a deaf task of this run end. */
  static void release(String task) {
    RELEASED.put(task, true);
  }

  /** A registry that knows this handler, by a jar in the given folder. */
  static HandlerRegistry registry(Path folder) throws IOException {
    String type = Witness.class.getName();
    String file = type.replace('.', '/') + ".class";
    try (OutputStream out = Files.newOutputStream(folder.resolve("witness.jar"));
        JarOutputStream jar = new JarOutputStream(out);
        var bytes =
            Objects.requireNonNull(Witness.class.getClassLoader().getResourceAsStream(file))) {
      jar.putNextEntry(new ZipEntry(file));
      jar.write(bytes.readAllBytes());
      jar.closeEntry();
      jar.putNextEntry(new ZipEntry("META-INF/services/" + TaskHandler.class.getName()));
      jar.write(type.getBytes(UTF_8));
      jar.closeEntry();
    }
    return HandlerRegistry.load(folder);
  }

  @Override
  public String name() {
    return "witness";
  }

  @Override
  public byte[] run(List<String> args) throws Exception {
    String task = args.getFirst();
    STARTS.merge(task, 1, Integer::sum);
    switch (args.get(1)) {
      case "fails twice" -> {
        if (starts(task) < 3) {
          throw new IllegalStateException("planted");
        }
      }
      case "late twice" -> {
        if (starts(task) < 3) {
          Thread.currentThread().join();
        }
      }
      case "error" -> throw new OutOfMemoryError("planted");
      case "hostile" -> throw new Hostile();
      case "talkative" -> throw new IllegalStateException("x".repeat(2_000_000));
      case "deaf" -> {
        while (!RELEASED.containsKey(task)) {
          Thread.onSpinWait();
          Thread.yield();
        }
      }
      default -> {}
    }
    return task.getBytes(UTF_8);
  }

  /** Cannot even say what is wrong. */
  private static final class Hostile extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new IllegalStateException("planted");
    }
  }
}
