package io.cloudkon.client.cli;

import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.RunsHere;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The run that {@code --resume} names: by its id, or by its folder.
 *
 * @param run its id; what was given, if the run is not here
 * @param out {@code --out}, if given, or the folder
 */
record ResumedName(String run, Optional<String> out) {

  /**
   * Finds out which run is meant. A run of that id is preferred to a folder of that name.
   *
   * @param named the value of {@code --resume}
   * @param out {@code --out}, if given; the name is an id then
   */
  static ResumedName of(String named, Optional<String> out) {
    if (out.isPresent() || RunsHere.find(named, RunFolder.JOURNAL).isPresent()) {
      return new ResumedName(named, out);
    }
    Optional<Path> folder = RunsHere.folder(named, RunFolder.JOURNAL);
    return folder
        .flatMap(RunFolder::headerIn)
        .map(header -> new ResumedName(header.run(), folder.map(Path::toString)))
        .orElseGet(() -> new ResumedName(named, Optional.empty()));
  }
}
