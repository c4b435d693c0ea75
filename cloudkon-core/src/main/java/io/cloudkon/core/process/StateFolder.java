package io.cloudkon.core.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/** The folder for a cluster's launches on this machine and the logs of its workers. */
public final class StateFolder {
  private static final int HASH_CHARS = 8;
  private static final String LOGS = "logs";

  private StateFolder() {}

  /** The folder of all clusters: {@code cloudkon} in {@code $XDG_STATE_HOME} or ~/.local/state. */
  public static Path base(Map<String, String> environment) {
    String named = environment.getOrDefault("XDG_STATE_HOME", "");
    Path base =
        named.startsWith("/")
            ? Path.of(named)
            : Path.of(System.getProperty("user.home"), ".local", "state");
    return base.resolve("cloudkon");
  }

  /**
   * The folder of one cluster within the base folder. Clusters have separate folders, because a
   * provisioner would end another cluster's workers as strays.
   *
   * @param address distinguishes it from other clusters of the same name
   */
  public static Path of(Path base, String queue, String address) {
    String hash = UUID.nameUUIDFromBytes(address.getBytes(UTF_8)).toString();
    return base.resolve(queue + "-" + hash.substring(0, HASH_CHARS));
  }

  /** The folder of its workers' logs, unless the user has named another one. */
  public static Path logs(Path state) {
    return state.resolve(LOGS);
  }

  /**
   * Removes the logs in it that were last written before the given time.
   *
   * @return the number of removed logs
   * @throws UncheckedIOException if one cannot be removed
   */
  public static int removeLogs(Path state, Instant since) {
    int removed = 0;
    for (Path log : files(logs(state))) {
      if (log.toString().endsWith(".log") && modified(log).isBefore(since)) {
        delete(log);
        removed++;
      }
    }
    return removed;
  }

  /**
   * Removes the folder with its logs. Other folders in it are kept, and then the folder is kept as
   * well.
   *
   * @return whether it existed
   * @throws UncheckedIOException if it cannot be removed
   */
  public static boolean remove(Path state) {
    if (!Files.isDirectory(state, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    files(logs(state)).forEach(StateFolder::delete);
    files(state).forEach(StateFolder::delete);
    deleteIfEmpty(logs(state));
    deleteIfEmpty(state);
    return true;
  }

  private static List<Path> files(Path folder) {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(folder)) {
      return entries
          .filter(entry -> Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Instant modified(Path file) {
    try {
      return Files.getLastModifiedTime(file).toInstant();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void deleteIfEmpty(Path folder) {
    try (Stream<Path> entries = Files.list(folder)) {
      if (entries.findAny().isPresent()) {
        return;
      }
    } catch (IOException e) {
      return; // it is not there
    }
    delete(folder);
  }
}
