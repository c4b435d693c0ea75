package io.cloudkon.client.rerun;

import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.client.report.KeptFile;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.LocalFileException;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import java.util.Optional;

/**
 * The list of a rerun's tasks: the file {@code rerun} in its folder. The first line names their run
 * and their number; each further line is the position of the next task in that run's workload.
 */
final class RerunFile {
  static final String NAME = RunFolder.RERUN;

  private RerunFile() {}

  /** The file to write for a rerun. */
  static KeptFile of(RunHeader run, BitSet chosen) {
    return new KeptFile(
        NAME,
        file -> {
          // A list that a kill has cut off would end every later rerun.
          Path part = file.resolveSibling(NAME + ".tmp");
          write(part, name(run), chosen);
          Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        });
  }

  /**
   * The run's id and its submission, because a run of the same id that was submitted again is
   * another run.
   */
  private static String name(RunHeader run) {
    return run.run() + " " + run.epoch();
  }

  private static void write(Path file, String run, BitSet chosen) throws IOException {
    try (FileOutputStream out = new FileOutputStream(file.toFile());
        BufferedWriter lines =
            new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.US_ASCII))) {
      lines.write(run + " " + chosen.cardinality() + "\n");
      for (int index = chosen.nextSetBit(0); index >= 0; index = chosen.nextSetBit(index + 1)) {
        lines.write(index + "\n");
      }
      lines.flush();
      out.getFD().sync();
    }
  }

  /**
   * Reads the positions in a run's workload of the tasks of the rerun in a folder, in the rerun's
   * order. The run's tasks may be negative if their number is no longer known.
   *
   * @return empty if there is no rerun of this run
   * @throws CloudKonException if the file is damaged, or cannot be read
   */
  static Optional<int[]> read(Path folder, RunHeader run) {
    Path file = folder.resolve(NAME);
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.US_ASCII)) {
      String head = Objects.requireNonNullElse(lines.readLine(), "");
      int end = Math.max(0, head.lastIndexOf(' '));
      if (!head.substring(0, end).equals(name(run))) {
        return Optional.empty();
      }
      int count = Integer.parseInt(head.substring(end + 1));
      // a task's line has two bytes at least
      long most = run.tasks() < 0 ? Files.size(file) / 2 : run.tasks();
      int[] indexes = indexes(lines, (int) Math.clamp(count, 0, most));
      if (indexes.length != count) {
        throw new IOException("it is cut off");
      }
      check(indexes, run.tasks() < 0 ? Long.MAX_VALUE : run.tasks());
      return Optional.of(indexes);
    } catch (IOException | NumberFormatException e) {
      throw new LocalFileException(
          "%s cannot be read: %s; restore the file, or remove the folder"
              .formatted(file, e.getMessage()),
          e);
    }
  }

  private static void check(int[] indexes, long tasks) throws IOException {
    int before = -1;
    for (int index : indexes) {
      if (index <= before || index >= tasks) {
        throw new IOException("task %d follows task %d of %d".formatted(index, before, tasks));
      }
      before = index;
    }
  }

  private static int[] indexes(BufferedReader lines, int expected) throws IOException {
    int[] indexes = new int[expected];
    int count = 0;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (count == indexes.length) {
        throw new IOException("it names more tasks than it says");
      }
      indexes[count++] = Integer.parseInt(line);
    }
    return Arrays.copyOf(indexes, count);
  }
}
