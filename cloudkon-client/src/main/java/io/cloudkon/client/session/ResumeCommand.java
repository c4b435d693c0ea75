package io.cloudkon.client.session;

import io.cloudkon.client.report.Resuming;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.core.process.Launcher;
import java.nio.file.Path;

/**
 * The commands that resume a run, or cancel it.
 *
 * @param cluster the cluster's name
 * @param run the run's id
 * @param folder the folder of its files
 * @param workload the workload as the user named it; {@code -} for standard input
 * @param streamed whether its tasks cannot be read again
 */
public record ResumeCommand(
    String cluster, String run, RunFolder folder, String workload, boolean streamed) {

  /** Whether the run can be resumed. */
  public boolean possible() {
    return folder.path().isPresent() && !streamed;
  }

  /** The command that resumes the run. */
  public String resume() {
    return Resuming.command(cluster, run, folder.path().orElse(Path.of("")), workload);
  }

  /** The command that cancels the run. */
  public String cancel() {
    return "%s cancel -s %s %s".formatted(Launcher.name(), cluster, run);
  }

  /** The possible one of the two commands, as the end of a message. */
  public String advice() {
    if (possible()) {
      return "resume it with: " + resume();
    }
    String why = streamed ? "a streamed run" : "a run without files (--out none)";
    return why + " cannot be resumed, cancel it with: " + cancel();
  }
}
