package io.cloudkon.bench.simulate;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints points: each as a row as soon as it is known, or as fields for a program. */
final class ScaleTable {
  private ScaleTable() {}

  static void head(PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "%9s %12s %11s %13s %10s %10s %10s %11s %9s %14s %9s  %s%n",
        "workers",
        "tasks",
        "makespan s",
        "tasks/s",
        "effic. %",
        "p50 ms",
        "p99 ms",
        "calls/task",
        "USD/M",
        "simulated/s",
        "heap MiB",
        "limits met");
    out.flush();
  }

  static void row(PrintWriter out, Point point) {
    out.printf(
        Locale.ROOT,
        "%s %,14.0f %,9d  %s%n",
        figures(point),
        point.simulatedPerSecond(),
        point.heapBytes() >> 20,
        limits(point));
    out.flush();
  }

  /** The columns of a row that depend only on the seed. */
  static String figures(Point point) {
    return String.format(
        Locale.ROOT,
        "%,9d %,12d %11.2f %,13.0f %10.1f %10.0f %10.0f %11.3f %9.3f",
        point.workers(),
        point.tasks(),
        point.seconds(),
        point.tasksPerSecond(),
        100 * point.efficiency(),
        point.latencyMillis(50),
        point.latencyMillis(99),
        point.callsPerTask(),
        point.usdPerMillionTasks());
  }

  private static String limits(Point point) {
    return point.limits().isEmpty() ? "none" : String.join(", ", point.limits());
  }

  /** Prints the meaning of the columns. */
  static void foot(PrintWriter out) {
    out.println();
    out.println(
        "p50, p99: from the begin of a task's send to its result, the wait in the queue included;"
            + " USD/M: list price of a million tasks' calls;");
    out.println("simulated/s: tasks per second of wall time; heap: at most, garbage included.");
    out.flush();
  }

  /** The fields of a point, for JSON. */
  static Map<String, Object> fields(Point point) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("workers", point.workers());
    fields.put("slots", point.outcome().slots());
    fields.put("tasks", point.tasks());
    fields.put("makespan_seconds", point.seconds());
    fields.put("tasks_per_second", point.tasksPerSecond());
    fields.put("efficiency", point.efficiency());
    fields.put("latency_p50_millis", point.latencyMillis(50));
    fields.put("latency_p99_millis", point.latencyMillis(99));
    fields.put("calls_per_task", point.callsPerTask());
    fields.put("usd_per_million_tasks", point.usdPerMillionTasks());
    fields.put("most_in_flight", point.outcome().mostInFlight());
    fields.put("receives_over_limit", point.outcome().overLimit());
    fields.put("writes_over_quota", point.outcome().calls().throttledByQuota());
    fields.put("wall_seconds", point.wallSeconds());
    fields.put("heap_bytes", point.heapBytes());
    return fields;
  }

  /** The fields of points, for JSON. */
  static List<Map<String, Object>> fields(List<Point> points) {
    return points.stream().map(ScaleTable::fields).toList();
  }
}
