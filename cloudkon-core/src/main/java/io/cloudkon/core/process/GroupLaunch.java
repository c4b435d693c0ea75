package io.cloudkon.core.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts a command in its own process group, which Java cannot do. In both implementations the
 * command waits for a line on its standard input before it starts, so that the guard knows of it
 * first; if the input ends without that line, it never starts.
 */
public sealed interface GroupLaunch {
  /** The machine's shell. */
  Path SHELL = Path.of("/bin/sh");

  /** The line for which the shell in front of a command waits. */
  String GO = "go\n";

  /** The shell that creates the group and runs the guard. */
  Path shell();

  /** The command to execute, which then runs the given command. */
  List<String> command(List<String> argv);

  /**
   * The process group that the started process leads or has created; may wait for the process to
   * report it.
   *
   * @throws GoneException if it was killed before it reported its group
   * @throws IOException if it has none
   */
  long group(Process process) throws IOException;

  /**
   * Signals that a process was killed before it had a group, which a guard does after its deadline.
   */
  final class GoneException extends IOException {
    private static final long serialVersionUID = 1L;

    GoneException() {
      super("it was killed before it could start");
    }
  }

  /**
   * Returns the implementation for this machine.
   *
   * @throws IOException if there is none; the message says so
   */
  static GroupLaunch detect() throws IOException {
    if (!Files.isExecutable(SHELL)) {
      throw new IOException(
          "processes of their own group need Linux or macOS: there is no " + SHELL);
    }
    String path = System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
    for (String directory : path.split(File.pathSeparator, -1)) {
      Path setsid = Path.of(directory, "setsid");
      if (setsid.isAbsolute() && Files.isExecutable(setsid)) {
        return new Session(setsid, SHELL);
      }
    }
    return new JobControl(SHELL);
  }

  /**
   * The implementation for Linux: the process becomes the leader of a new session, and then the
   * command itself.
   */
  record Session(Path setsid, Path shell) implements GroupLaunch {
    private static final String GATE = "IFS= read -r go && exec \"$@\"; exit 125";

    @Override
    public List<String> command(List<String> argv) {
      List<String> command =
          new ArrayList<>(List.of(setsid.toString(), shell.toString(), "-c", GATE, "cloudkon"));
      command.addAll(argv);
      return command;
    }

    @Override
    public long group(Process process) {
      return process.pid();
    }
  }

  /**
   * The implementation for macOS, which has no setsid: a shell with job control creates the group,
   * prints its number, waits for the command and ends with the same status. While it waits, job
   * control is switched off, so that a command that suspends itself does not count as ended. The
   * shell is in the worker's group, so it ignores signals from the terminal; the command, which was
   * started before, does not.
   */
  record JobControl(Path shell) implements GroupLaunch {
    private static final String GATE =
        """
        set -m
        case $- in *m*) ;; *) echo 0; exit 125 ;; esac
        exec 3<&0
        { IFS= read -r go && exec "$@"; exit 125; } <&3 3<&- &
        trap '' HUP INT QUIT TERM TSTP
        set +m
        echo $!
        exec </dev/null 3<&- >/dev/null 2>&1
        wait $!
        """;

    @Override
    public List<String> command(List<String> argv) {
      List<String> command = new ArrayList<>(List.of(shell.toString(), "-c", GATE, "cloudkon"));
      command.addAll(argv);
      return command;
    }

    @Override
    public long group(Process process) throws IOException {
      long group = 0;
      var out = process.getInputStream();
      int first = out.read();
      if (first < 0) {
        throw new GoneException();
      }
      for (int c = first; c >= '0' && c <= '9'; c = out.read()) {
        group = group * 10 + (c - '0');
      }
      if (group == 0) {
        throw new IOException(
            "this machine's /bin/sh has no job control; install setsid (package util-linux)");
      }
      return group;
    }
  }
}
