package io.cloudkon.client.cli;

import io.cloudkon.client.report.Terminal;
import io.cloudkon.client.template.TemplateTasks;
import io.cloudkon.core.cli.Cli;
import io.cloudkon.core.cli.ForeignOptions;
import io.cloudkon.core.cli.StandardOutput;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.process.Launcher;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code run}: runs a command once for each value. */
@Command(
    name = "run",
    customSynopsis = "cloudkon run [-s QUEUE] [OPTIONS] -- COMMAND [{}] ::: VALUES",
    description = "Runs a command once for each value: here, or on the workers of a cluster.",
    modelTransformer = SubmitHelp.class,
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Values: ::: VALUE…, :::: FILE… (one per line), --array 1-500, else standard",
      "input. Several are combined, each with each; with :::+ and ::::+ side by side.",
      "In COMMAND: {} the value, {.} without extension, {/} its file name, {//} its",
      "folder, {/.} both; {1}, {2.} … of one source; {#} the task's number.",
      "If COMMAND has none of these, the value is appended to it. Values reach the",
      "program unchanged, without a shell. A pattern that matches no file is refused",
      "after :::, but is accepted from :::: and standard input.",
      "",
      "Examples:",
      "  cloudkon run -- gzip -9 {} ::: *.csv",
      "  cloudkon run -s Q -- ./fit.py --seed {1} --rate {2} ::: 1 2 3 ::: 0.1 0.2",
      "  cloudkon run --shell -- 'sort {} | uniq -c > {/.}.counts' :::: list.txt",
    })
public final class RunCommand implements Callable<Integer>, ForeignOptions {

  @Option(
      names = "-s",
      paramLabel = "QUEUE",
      description = "The cluster's queue. Default: LOCAL, this process.")
  @Nullable String queue;

  @Option(
      names = "--array",
      paramLabel = "A-B",
      description = "The numbers from A to B as values; A-B:STEP.")
  @Nullable String array;

  @Option(names = "--shell", description = "COMMAND is a line for /bin/sh -c; values are quoted.")
  boolean shell;

  @Option(
      names = {"-0", "--null"},
      description = "Values that are read are separated by NUL bytes.")
  boolean nul;

  @Option(
      names = "--file",
      paramLabel = "TEMPLATE",
      description = "Send each task its own file: {} (repeatable).")
  List<String> files = new ArrayList<>();

  @Option(names = "--print", description = "Print the tasks as a workload; send nothing.")
  boolean print;

  @Mixin SubmitOptions options = new SubmitOptions();

  @Parameters(hidden = true)
  List<String> stray = new ArrayList<>();

  private final Optional<List<String>> words;

  /** Creates the command for its description only; it cannot run without words. */
  public RunCommand() {
    this(Optional.empty());
  }

  private RunCommand(Optional<List<String>> words) {
    this.words = words;
  }

  /**
   * Runs this command. The words after the first {@code --} belong to the user's command and are
   * not parsed as options.
   */
  static int run(String... args) {
    int end = Arrays.asList(args).indexOf("--");
    return end < 0
        ? Cli.run(new RunCommand(), args)
        : Cli.run(
            new RunCommand(Optional.of(List.of(args).subList(end + 1, args.length))),
            Arrays.copyOf(args, end));
  }

  private static final CommandMessages MESSAGES = new CommandMessages("run");

  private static void hintAtShell(String operator) {
    MESSAGES.say(
        "'%s' is passed to the program as an argument; to have a shell interpret it, quote the whole command: run --shell -- 'COMMAND {} %s ...' ::: VALUES"
            .formatted(operator, operator));
  }

  /** Says that an option of this command is among the values, where it names one more task. */
  private void hintAtOption() {
    TemplateTasks.listedValues(words.orElseThrow()).stream()
        .filter(word -> word.matches("-[a-z]|--[a-z].*"))
        .filter(word -> spec.optionsMap().containsKey(word.replaceFirst("=.*", "")))
        .findFirst()
        .ifPresent(option ->
            MESSAGES.say(
                "'%s' comes after :::, so it is a value and no option; options come before the --"
                    .formatted(option)));
  }

  private CommandSpec spec = CommandSpec.create();

  /**
   * Stops parsing at the first word, which begins a command for which the {@code --} was forgotten.
   */
  @Spec
  void stopAtFirstWord(CommandSpec spec) {
    spec.parser().stopAtPositional(true);
    this.spec = spec;
  }

  @Override
  public Optional<String> instead(String option) {
    return OptionsOfOtherTools.instead(option);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (words.isEmpty() || !stray.isEmpty()) {
      throw new UsageException(
          "expected -- before the command: %s run [OPTIONS] -- COMMAND [{}] ::: VALUES%s"
              .formatted(
                  Launcher.name(),
                  words.isPresent() ? "; '%s' comes before it".formatted(stray.getFirst()) : ""));
    }
    TemplateTasks tasks =
        TemplateTasks.of(
            words.get(),
            new TemplateTasks.Settings(Optional.ofNullable(array), shell, nul, files),
            System.in,
            Terminal::isStandardInput);
    if (!options.print.quiet) {
      tasks.shellOperator().ifPresent(RunCommand::hintAtShell);
      hintAtOption();
      tasks
          .foreignPlaceholder()
          .ifPresent(text ->
              MESSAGES.say(
                  "GNU parallel would replace %s; here it stays as it is. CloudKon has {} {.} {/} {//} {/.}, {1}, {2.} … for the value of one source, and {#}"
                      .formatted(text)));
    }
    Consumer<String> notes = options.print.quiet ? note -> {} : MESSAGES::say;
    if (print) {
      return StandardOutput.write(out -> {
        try (InputStream lines = tasks.lines(notes)) {
          lines.transferTo(out);
        }
      });
    }
    return new Submission(
            "run",
            Optional.ofNullable(queue),
            options,
            GivenOptions.of(spec),
            new GeneratedTasks(
                "<command line>",
                Optional.of("--file"),
                tasks.hasOneProgram(),
                () -> tasks.lines(notes)))
        .run();
  }
}
