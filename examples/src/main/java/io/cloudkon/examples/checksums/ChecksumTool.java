package io.cloudkon.examples.checksums;

import io.cloudkon.core.error.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A command that prints SHA-256 checksums the way {@code sha256sum} does: 64 hex digits, two
 * blanks, the file's name.
 *
 * @param command its words, before the files
 */
public record ChecksumTool(List<String> command) {
  private static final List<List<String>> KNOWN =
      List.of(List.of("sha256sum"), List.of("shasum", "-a", "256"));

  /**
   * The first that this machine has.
   *
   * @throws UsageException if it has none
   */
  public static ChecksumTool find(Map<String, String> environment) {
    String path = environment.getOrDefault("PATH", "/usr/bin:/bin");
    for (List<String> command : KNOWN) {
      for (String folder : path.split(":")) {
        if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, command.getFirst()))) {
          return new ChecksumTool(command);
        }
      }
    }
    throw new UsageException(
        "there is neither sha256sum nor shasum on the PATH; install one (Debian: coreutils)");
  }

  /** The command for some files. */
  public List<String> of(List<String> files) {
    List<String> all = new ArrayList<>(command);
    all.addAll(files);
    return all;
  }

  /** As people call it. */
  public String name() {
    return command.getFirst();
  }
}
