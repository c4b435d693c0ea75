package io.cloudkon.client.answers;

import io.cloudkon.client.report.FolderState;
import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.client.report.RerunFolders;
import io.cloudkon.client.report.Resuming;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.RunsHere;
import io.cloudkon.client.report.SentWorkload;
import io.cloudkon.client.report.Wording;
import io.cloudkon.client.rerun.RunHistory;
import io.cloudkon.core.cli.Printable;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.UsageException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;

/**
 * The folder of a run that has answers; the run may still be in progress.
 *
 * @param path the path of the folder
 */
public record FinishedRun(Path path) {
  /**
   * Finds a run's folder.
   *
   * @param runOrFolder the id of a run whose folder is in this directory, or the folder of any run
   * @throws UsageException if there is no such folder with answers
   */
  public static FinishedRun of(String runOrFolder) {
    return find(runOrFolder).orElseThrow(() -> missing(runOrFolder));
  }

  static Optional<FinishedRun> find(String runOrFolder) {
    return RunsHere.folder(runOrFolder, RunFolder.RESULTS).map(FinishedRun::new);
  }

  static UsageException missing(String runOrFolder) {
    return new UsageException(
        "%s: neither a folder with results nor a run whose folder is here; %s"
            .formatted(Printable.line(runOrFolder), RunsHere.with(RunFolder.RESULTS)));
  }

  /** The file of the answers. */
  Path answers() {
    return path.resolve(RunFolder.RESULTS);
  }

  /**
   * Writes the selected answers, in UTF-8.
   *
   * @param latest whether results of the run's reruns replace earlier ones
   * @param width the number of characters in a line of the terminal; empty if there is none
   * @param say receives a line for the user
   * @throws UsageException if it asks for a value that no task has
   * @throws IOException if they cannot be written
   */
  public void write(
      Choice asked,
      AnswerFormat format,
      boolean latest,
      OutputStream out,
      OptionalInt width,
      Consumer<String> say)
      throws IOException {
    Optional<SentTasks> sent = asked.wantsTasks() ? sent(say) : Optional.empty();
    int values = asked.wantsValues() ? sent.map(SentTasks::values).orElse(0) : 0;
    if (asked.wantsValues() && asked.highestValue() == 0 && sent.isPresent() && values == 0) {
      say.accept(
          "the first task has no values: those of run have, and lines with the field values");
    }
    Choice choice = asked.spread(values);
    try (AnswerFiles files = AnswerFiles.open(runs(latest))) {
      if (sent.isPresent() && asked.highestValue() > values) {
        asked.checkValues(sent.get().mostValues());
      }
      Writer text = new OutputStreamWriter(out, StandardCharsets.UTF_8);
      AtomicLong count = new AtomicLong();
      AtomicLong unexplained = new AtomicLong();
      AtomicLong cut = new AtomicLong();
      AtomicLong ofOneRank = new AtomicLong();
      ChosenAnswers answers = ChosenAnswers.of(files.parts(), choice, sent);
      List<Column> shown = choice.columnsOrUsual(answers.facts());
      AnswerWriter writer = AnswerWriter.of(format, choice, answers.facts(), text, width);
      answers.forEach(answer -> {
        writer.write(answer);
        count.incrementAndGet();
        if (!Column.ERROR.of(answer.line()).asText("").isEmpty()) {
          unexplained.incrementAndGet();
        }
        if (Choice.showsCut(shown, answer.line())) {
          cut.incrementAndGet();
        }
        if (Choice.hidesRanks(shown, answer.line())) {
          ofOneRank.incrementAndGet();
        }
      });
      writer.end();
      text.flush();
      if (cut.get() > 0 && format != AnswerFormat.JSONL) {
        say.accept(
            "of %s, only the beginning of the output was kept; see --capture"
                .formatted(Wording.count(cut.get(), "task")));
      }
      if (ofOneRank.get() > 0 && (format != AnswerFormat.JSONL || choice.columns().isPresent())) {
        say.accept(
            "of %s, the output is that of rank 0, or of the rank that failed; cat RUN/TASK prints those of all ranks"
                .formatted(Wording.count(ofOneRank.get(), "HPC job")));
      }
      if (choice.isOfAll()) {
        withoutResult(count.get()).ifPresent(say);
        if (format == AnswerFormat.TABLE && choice.columns().isEmpty() && unexplained.get() > 0) {
          say.accept("--failed shows the reasons of tasks that did not succeed");
        }
      } else if (count.get() == 0) {
        say.accept(choice.none());
      }
      reruns(latest).ifPresent(say);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } finally {
      sent.ifPresent(SentTasks::close);
    }
  }

  /** Says that there are reruns whose results were not asked for; empty if there are none. */
  Optional<String> reruns(boolean latest) {
    return latest || RerunFolders.in(path).isEmpty()
        ? Optional.empty()
        : Optional.of("the run has reruns; --latest includes their results");
  }

  /** Says how many tasks have no result here, and how to collect more. */
  Optional<String> withoutResult(long results) {
    Optional<RunHeader> header = RunHistory.header(path);
    long tasks = header.map(RunHeader::tasks).orElse(-1L);
    if (results > 0 && results >= tasks) {
      return Optional.empty();
    }
    String how =
        header
            .filter(run -> run.isResumable() && isLeft())
            .map(run -> "; collect more with: " + Resuming.command(run, path))
            .orElse("");
    return Optional.of(
        (tasks < 0
                ? "there are no results"
                : "%,d of %s have no result here"
                    .formatted(tasks - results, Wording.count(tasks, "task")))
            + how);
  }

  private boolean isLeft() {
    try {
      return FolderState.of(path) == FolderState.LEFT;
    } catch (CloudKonException e) {
      return false; // a damaged journal, which a resume reports
    }
  }

  /** The run and, if {@code latest}, its reruns, oldest first. */
  List<RunHistory.Part> runs(boolean latest) {
    return latest
        ? RunHistory.of(path).parts()
        : List.of(new RunHistory.Part(path, IntUnaryOperator.identity()));
  }

  private Optional<SentTasks> sent(Consumer<String> say) {
    Optional<RunHeader> header = RunFolder.headerIn(path);
    Optional<SentTasks> sent = header.flatMap(run -> SentTasks.of(run, path));
    if (sent.isEmpty()) {
      say.accept(
          "no commands: "
              + header.map(SentWorkload::why).orElse("no journal records what was sent"));
    }
    return sent;
  }
}
