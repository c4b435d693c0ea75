package io.cloudkon.client.workload;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** A workload in memory, and the shortest ways to open and read one. */
record MemorySource(String name, byte[] bytes) implements WorkloadSource {
  /** Small blocks and few ids in memory, so that short inputs reach every corner. */
  static final WorkloadLimits SMALL = new WorkloadLimits(1 << 20, 1000, 4, 7);

  static MemorySource text(String text) {
    return new MemorySource("w.txt", text.getBytes(UTF_8));
  }

  static MemorySource jsonl(String text) {
    return new MemorySource("w.jsonl", text.getBytes(UTF_8));
  }

  /** A task that says nothing of retries. */
  static Task silent(int ordinal, String id, Work work, long timeoutMillis) {
    return new Task(ordinal, id, work, timeoutMillis, Task.RUNS_RETRIES);
  }

  Workload open() {
    return Workload.open(this, WorkloadFormat.AUTO, SMALL);
  }

  Workload stream() {
    return Workload.stream(this, WorkloadFormat.AUTO, SMALL);
  }

  /** The tasks of the checked workload. */
  List<Task> tasks() {
    try (Workload workload = open();
        TaskReader reader = workload.read()) {
      return rest(reader);
    }
  }

  /** The one task of the checked workload. */
  Task task() {
    List<Task> tasks = tasks();
    if (tasks.size() != 1) {
      throw new AssertionError("expected one task: " + tasks);
    }
    return tasks.getFirst();
  }

  /** What a reader still has. */
  static List<Task> rest(TaskReader reader) {
    List<Task> tasks = new ArrayList<>();
    for (Task task = reader.next(); task != null; task = reader.next()) {
      tasks.add(task);
    }
    return tasks;
  }

  @Override
  public WorkloadFormat format() {
    return WorkloadFormat.ofName(name);
  }

  @Override
  public InputStream first() {
    return new ByteArrayInputStream(bytes);
  }

  @Override
  public InputStream again(long offset) {
    int from = (int) offset;
    return new ByteArrayInputStream(bytes, from, bytes.length - from);
  }

  @Override
  public void close() {}
}
