package io.cloudkon.client.answers;

import io.cloudkon.client.rerun.RunHistory;
import java.io.Closeable;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/**
 * The answers of a run and its reruns. Not thread safe.
 *
 * @param parts oldest first
 */
record AnswerFiles(List<ChosenAnswers.Part> parts) implements Closeable {

  /**
   * Opens the answers of these runs; a rerun may have none yet.
   *
   * @throws io.cloudkon.core.error.UsageException if the first run has none
   */
  static AnswerFiles open(List<RunHistory.Part> runs) {
    AnswerFiles files = new AnswerFiles(new ArrayList<>());
    try {
      for (RunHistory.Part run : runs) {
        if (files.parts.isEmpty() || Files.exists(run.results())) {
          files.parts.add(new ChosenAnswers.Part(AnswerFile.open(run.results()), run.index()));
        }
      }
      return files;
    } catch (RuntimeException | Error e) {
      files.close();
      throw e;
    }
  }

  @Override
  public void close() {
    parts.forEach(part -> part.file().close());
  }
}
