package io.cloudkon.worker.execute.spawn;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A command to be spawned. Immutable.
 *
 * @param file the program; a path relative to the directory, or an absolute one
 * @param argv its arguments, from its name on
 * @param directory the directory in which it starts
 * @param inherited the variables of this process that it inherits
 * @param own its own variables
 * @param input its standard input; not copied
 * @param uid the user who gets its pipes; -1 means this process's own user
 * @param lifeline a descriptor of this process that the command's process keeps open at most until
 *     it has become the command
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

  /** The same order, started by the machine's shell. */
  SpawnOrder byShell(List<String> words) {
    return new SpawnOrder(words.getFirst(), words, directory, inherited, own, input, uid, lifeline);
  }
}
