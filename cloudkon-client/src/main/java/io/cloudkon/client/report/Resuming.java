package io.cloudkon.client.report;

import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.core.process.Launcher;
import io.cloudkon.core.process.ShellWord;
import java.nio.file.Path;

/** Commands that resume runs, for messages. Stateless. */
public final class Resuming {
  private Resuming() {}

  /**
   * The command that resumes a run whose files are in a folder. It names the folder, even one that
   * would be found here by the run's id: a copy of it, and a run of another cluster, have that,
   * too.
   */
  public static String command(String cluster, String run, Path path) {
    String out = path.equals(RunFolder.ofRun(run)) ? "" : " --out " + ShellWord.of(path.toString());
    return "%s client -s %s --resume %s%s".formatted(Launcher.name(), cluster, run, out);
  }

  /**
   * The same for a run whose workload is known.
   *
   * @param workload the workload as the user named it; {@code -} for standard input, which cannot
   *     be read again, and neither can a pipe
   */
  public static String command(String cluster, String run, Path path, String workload) {
    return command(cluster, run, path)
        + (SentWorkload.isFile(workload) ? "" : " -w FILE (what was standard input or a pipe)");
  }

  /** The same for the run that a folder's journal describes. */
  public static String command(RunHeader run, Path path) {
    return command(run.queue(), run.run(), path, run.file());
  }
}
