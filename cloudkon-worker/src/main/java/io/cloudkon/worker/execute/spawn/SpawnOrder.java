package io.cloudkon.worker.execute.spawn;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A command to be spawned. Immutable.
 *
 * @param file the program; a relative path is seen from the directory
 * @param argv its arguments, from its name on
 * @param directory where it starts
 * @param inherited which variables it has of this process's
 * @param own its own variables
 * @param input what it reads from its standard input; not copied
 * @param uid whose its pipes are to be; -1 means this process's own user
 * @param lifeline a descriptor of this process that the command's process keeps open until it has
 *     become the command, at the latest
 */
public record SpawnOrder(
    String file,
    List<String> argv,
    Path directory,
    Variables inherited,
    Map<String, String> own,
    byte[] input,
    int uid,
    int lifeline) {

  /** The same, started by the machine's shell. */
  SpawnOrder byShell(List<String> words) {
    return new SpawnOrder(words.getFirst(), words, directory, inherited, own, input, uid, lifeline);
  }
}
