package io.cloudkon.client.workload;

/**
 * The bounds of one reading. Tests make them small.
 *
 * @param maxLineBytes the longest line, without its line end
 * @param maxTasks the most tasks of one workload
 * @param idsInMemory how many ids are compared in memory before they are spilled to disk
 * @param blockBytes how much is read at once
 */
record Limits(int maxLineBytes, int maxTasks, int idsInMemory, int blockBytes) {
  /** What a workload is read with outside tests. */
  static final Limits DEFAULT =
      new Limits(Workload.MAX_LINE_BYTES, Workload.MAX_TASKS, 200_000, 256 * 1024);
}
