package io.cloudkon.client.template;

import io.cloudkon.core.cli.Printable;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.InputFile;
import io.cloudkon.core.process.Launcher;
import io.cloudkon.core.process.ShellWord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A command with {@linkplain Placeholder placeholders}. Immutable. */
final class Template {
  /**
   * Words with which a shell redirects or chains; without {@code ;}, which is an argument of
   * find(1).
   */
  private static final Set<String> SHELL_OPERATORS =
      Set.of("|", "||", "&&", "&", ">", ">>", "<", "2>", "2>>", "2>&1", "&>");

  /**
   * Placeholders of GNU parallel that are none here: those of its slots, of sources counted from
   * the last one ({@code {-1}}), of Perl expressions, and those of {@code --plus}.
   */
  private static final Pattern FOREIGN =
      Pattern.compile(
          "\\{(?:%|##|0+[#%]|\\+|[-+]\\d+(?://|/\\.|/|\\.)?|(?:[-+]?\\d+)?(?:=.*?=|\\+[/.]|\\+?/?\\.{2,3}))}"
              // the first word of an expression that was not quoted
              + "|^\\{[-+]?\\d*=$");

  private final List<Word> words;
  private final boolean shell;
  private final List<Word> files;

  private Template(List<Word> words, boolean shell, List<Word> files) {
    this.words = words;
    this.shell = shell;
    this.files = files;
  }

  /**
   * Parses a command. If it has no placeholder, {@code {}} is appended.
   *
   * @param shell whether its words form a command line for the shell
   * @param sources the number of sources of values
   * @throws UsageException if it is not a command, or a placeholder names a missing source
   */
  static Template of(List<String> command, boolean shell, int sources) {
    if (command.isEmpty() || command.getFirst().isEmpty()) {
      throw new UsageException(
          "missing command; expected: %s run [OPTIONS] -- COMMAND [{}] ::: VALUES; a file with a task on each line, such as \"exec echo hi\", is a workload: %1$s client -s LOCAL -w FILE"
              .formatted(Launcher.name()));
    }
    if (!shell && command.size() == 1 && isLine(command.getFirst())) {
      throw new UsageException(
          "'%s' is a single word with spaces, not a program; give its words without the quotes, or pass all of it to a shell with --shell"
              .formatted(command.getFirst()));
    }
    List<Word> words = new ArrayList<>();
    for (String word : command) {
      words.add(Word.of(word, sources));
    }
    if (words.stream().allMatch(word -> word.placeholders().isEmpty())) {
      words.add(Word.of("{}", sources));
    }
    if (shell) {
      checkQuotes(words);
    }
    return new Template(List.copyOf(words), shell, List.of());
  }

  /** A copy with templates for the paths of each task's own files. */
  Template with(List<String> templates, int sources) {
    return new Template(
        words, shell, templates.stream().map(file -> Word.of(file, sources)).toList());
  }

  /**
   * Refuses placeholders where the quotes in which a value is inserted would not protect it, as in
   * other quotes.
   */
  private static void checkQuotes(List<Word> words) {
    ShellPosition position = new ShellPosition();
    for (Word word : words) {
      for (int i = 0; i < word.placeholders().size(); i++) {
        position.text(word.texts().get(i));
        if (word.placeholders().get(i).source() != Placeholder.NUMBER) {
          position
              .problem()
              .ifPresent(problem -> {
                throw new UsageException("--shell: a placeholder " + problem);
              });
        }
        position.value();
      }
      position.text(word.texts().getLast());
      position.text(" ");
    }
  }

  private static boolean isLine(String word) {
    return word.chars().anyMatch(Character::isWhitespace) && !Files.exists(Path.of(word));
  }

  /** Whether {@link #words} form a command line for a shell. */
  boolean shell() {
    return shell;
  }

  /** Whether the first word has no placeholder. */
  boolean hasOneProgram() {
    return words.getFirst().placeholders().isEmpty();
  }

  /**
   * A word that a shell would interpret, but that is passed to the program; empty if there is none.
   */
  Optional<String> shellOperator() {
    return shell
        ? Optional.empty()
        : words.stream()
            .filter(word -> word.placeholders().isEmpty())
            .map(word -> word.texts().getFirst())
            .filter(SHELL_OPERATORS::contains)
            .findFirst();
  }

  /** A placeholder of GNU parallel that is passed on unchanged; empty if there is none. */
  Optional<String> foreignPlaceholder() {
    return Stream.concat(words.stream(), files.stream())
        .flatMap(word -> word.texts().stream())
        .flatMap(text -> FOREIGN.matcher(text).results())
        .map(MatchResult::group)
        .findFirst();
  }

  /** A task's program and its arguments. */
  List<String> words(Row row) {
    return filled(words, row);
  }

  private static List<String> filled(List<Word> words, Row row) {
    List<String> filled = new ArrayList<>();
    for (Word word : words) {
      Optional<Placeholder> alone = word.alone();
      if (alone.isPresent()) {
        filled.addAll(alone.get().of(row));
      } else {
        filled.add(word.fill(row, false));
      }
    }
    return filled;
  }

  /**
   * The files that only this task needs.
   *
   * @throws UsageException if one is not below the client's directory, or is named twice
   */
  List<String> files(Row row) {
    List<String> filled = filled(files, row);
    Set<String> seen = new HashSet<>();
    for (String file : filled) {
      if (!seen.add(checkedFile(file))) {
        throw new UsageException(
            "--file: task %,d gets '%s' twice; expected each file once"
                .formatted(row.number(), Printable.line(file)));
      }
    }
    return filled;
  }

  /** Checked here, where the option is known; of a workload, its line is. */
  private static String checkedFile(String file) {
    try {
      return InputFile.checkedPath(file);
    } catch (IllegalArgumentException e) {
      throw new UsageException(
          "--file: '%s' %s; expected a path of a file below the client's directory"
              .formatted(Printable.line(file), e.getMessage()),
          e);
    }
  }

  /**
   * A task's command line for the shell; each value is quoted, so that the shell takes it for a
   * single word or a part of one.
   */
  String line(Row row) {
    return words.stream().map(word -> word.fill(row, true)).collect(Collectors.joining(" "));
  }

  /**
   * A word, split at its placeholders.
   *
   * @param texts the texts around the placeholders, one more than there are placeholders
   */
  private record Word(List<String> texts, List<Placeholder> placeholders) {

    static Word of(String word, int sources) {
      List<String> texts = new ArrayList<>();
      List<Placeholder> placeholders = new ArrayList<>();
      Matcher written = Placeholder.WRITTEN.matcher(word);
      int from = 0;
      while (written.find()) {
        texts.add(word.substring(from, written.start()));
        placeholders.add(Placeholder.of(written.toMatchResult(), sources));
        from = written.end();
      }
      texts.add(word.substring(from));
      return new Word(List.copyOf(texts), List.copyOf(placeholders));
    }

    /** The placeholder, if the word is nothing else. */
    Optional<Placeholder> alone() {
      boolean bare = placeholders.size() == 1 && texts.stream().allMatch(String::isEmpty);
      return bare ? Optional.of(placeholders.getFirst()) : Optional.empty();
    }

    String fill(Row row, boolean quote) {
      StringBuilder filled = new StringBuilder(texts.getFirst());
      for (int i = 0; i < placeholders.size(); i++) {
        List<String> values = placeholders.get(i).of(row);
        filled
            .append(
                quote
                    ? values.stream().map(ShellWord::quoted).collect(Collectors.joining(" "))
                    : String.join(" ", values))
            .append(texts.get(i + 1));
      }
      return filled.toString();
    }
  }
}
