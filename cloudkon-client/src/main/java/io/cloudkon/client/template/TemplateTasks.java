package io.cloudkon.client.template;

import io.cloudkon.core.error.UsageException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The tasks that a command line describes: the words of a command, then sources of values, each
 * after {@code :::} (values) or {@code ::::} (files with one value per line). A plus sign after the
 * colons links a source with the one before it. Immutable.
 */
public final class TemplateTasks {
  private final Template template;
  private final List<List<ValueSource>> groups;

  private TemplateTasks(Template template, List<List<ValueSource>> groups) {
    this.template = template;
    this.groups = groups;
  }

  /**
   * The options that apply to the words.
   *
   * @param array the value of {@code --array}
   * @param shell whether the command is a command line for the shell
   * @param nul whether values in files end at NUL bytes
   * @param files templates for the paths of each task's own files
   */
  public record Settings(Optional<String> array, boolean shell, boolean nul, List<String> files) {
    public Settings {
      files = List.copyOf(files);
    }

    /** The settings of tasks that need no files. */
    public Settings(Optional<String> array, boolean shell, boolean nul) {
      this(array, shell, nul, List.of());
    }
  }

  /**
   * Parses the words. If they name no source and there is no array, the values come from standard
   * input.
   *
   * @param atTerminal whether standard input is a terminal
   * @throws UsageException if they describe no tasks
   */
  public static TemplateTasks of(
      List<String> words, Settings settings, InputStream stdin, BooleanSupplier atTerminal) {
    words.forEach(TemplateTasks::checkText);
    Sources sources = new Sources(settings, stdin);
    int end = 0;
    while (end < words.size() && Marker.of(words.get(end)).isEmpty()) {
      end++;
    }
    List<String> command = words.subList(0, end);
    while (end < words.size()) {
      Marker marker = Marker.of(words.get(end)).orElseThrow();
      int from = ++end;
      while (end < words.size() && Marker.of(words.get(end)).isEmpty()) {
        end++;
      }
      sources.add(marker, words.subList(from, end));
    }
    if (sources.groups.isEmpty()) {
      if (atTerminal.getAsBoolean()) {
        throw new UsageException(
            "no values; expected ::: VALUES, :::: FILE, --array FIRST-LAST, or values on standard"
                + " input");
      }
      sources.add(Marker.FILES, List.of("-"));
    }
    Rows.checkNumber(sources.groups);
    int count = sources.groups.stream().mapToInt(List::size).sum();
    settings.files().forEach(TemplateTasks::checkText);
    return new TemplateTasks(
        Template.of(command, settings.shell(), count).with(settings.files(), count),
        sources.groups);
  }

  /**
   * Refuses words with the character that Java substitutes for bytes that are invalid in the
   * locale's encoding.
   */
  private static void checkText(String word) {
    if (word.indexOf('\uFFFD') >= 0) {
      throw new UsageException(
          "'%s' is not valid UTF-8; expected names in UTF-8, and a locale that supports it, such as LC_ALL=C.UTF-8"
              .formatted(word));
    }
  }

  /** Whether all tasks have the same program: its name has no placeholder. */
  public boolean hasOneProgram() {
    return template.hasOneProgram();
  }

  /**
   * A word of the command that a shell would interpret, such as {@code >}, but that is passed to
   * the program as an argument; empty if there is none, or if a shell runs the command.
   */
  public Optional<String> shellOperator() {
    return template.shellOperator();
  }

  /**
   * A placeholder of GNU parallel that CloudKon does not have, and passes on unchanged; empty if
   * there is none.
   */
  public Optional<String> foreignPlaceholder() {
    return template.foreignPlaceholder();
  }

  /** The values that are listed on the command line, after {@code :::}. */
  public static List<String> listedValues(List<String> words) {
    List<String> listed = new ArrayList<>();
    boolean lists = false;
    for (String word : words) {
      Optional<Marker> marker = Marker.of(word);
      if (marker.isPresent()) {
        lists = !marker.get().files;
      } else if (lists) {
        listed.add(word);
      }
    }
    return listed;
  }

  /**
   * The tasks as a workload in JSON Lines, generated as it is read.
   *
   * @param notes receives notes for the user about the values, when all lines have been read
   */
  public InputStream lines(Consumer<String> notes) {
    return new TemplateLines(
        template,
        Rows.of(groups),
        () ->
            groups.stream()
                .flatMap(List::stream)
                .flatMap(source -> source.note().stream())
                .forEach(notes));
  }

  /** A word that starts a source. */
  private enum Marker {
    VALUES(":::", false, false),
    LINKED_VALUES(":::+", false, true),
    FILES("::::", true, false),
    LINKED_FILES("::::+", true, true);

    private final String written;
    private final boolean files;
    private final boolean linked;

    Marker(String written, boolean files, boolean linked) {
      this.written = written;
      this.files = files;
      this.linked = linked;
    }

    static Optional<Marker> of(String word) {
      for (Marker marker : values()) {
        if (marker.written.equals(word)) {
          return Optional.of(marker);
        }
      }
      return Optional.empty();
    }
  }

  /** Collects the sources in the order of the command line. */
  private static final class Sources {
    private final Settings settings;
    private final InputStream stdin;
    private final List<List<ValueSource>> groups = new ArrayList<>();
    private boolean stdinTaken;

    Sources(Settings settings, InputStream stdin) {
      this.settings = settings;
      this.stdin = stdin;
      settings.array().ifPresent(range -> add(NumberedValues.of(range), false));
    }

    void add(Marker marker, List<String> words) {
      if (!marker.files) {
        add(new ListedValues(words), marker.linked);
        return;
      }
      if (words.isEmpty()) {
        throw new UsageException(
            "no files after %s; expected a file with one value per line, or - for standard input"
                .formatted(marker.written));
      }
      boolean linked = marker.linked;
      for (String word : words) {
        add(
            word.equals("-")
                ? standardInput(linked)
                : ReadValues.ofFile(word, settings.nul(), !isFirst(linked)),
            linked);
      }
    }

    private void add(ValueSource source, boolean linked) {
      if (!linked) {
        groups.add(new ArrayList<>(List.of(source)));
      } else if (groups.isEmpty()) {
        throw new UsageException(
            "%s is linked, but there is no source before it".formatted(source.name()));
      } else {
        groups.getLast().add(source);
      }
    }

    /**
     * Standard input can be read only once, so it can serve only as the source that changes
     * slowest.
     */
    private ValueSource standardInput(boolean linked) {
      if (stdinTaken || !isFirst(linked)) {
        throw new UsageException(
            ":::: -: standard input can be read only once; expected it as the first source, or a"
                + " file");
      }
      stdinTaken = true;
      return ReadValues.ofStandardInput(stdin, settings.nul());
    }

    /** Whether a source that is added now changes slowest, so it is read only once. */
    private boolean isFirst(boolean linked) {
      return groups.size() <= (linked ? 1 : 0);
    }
  }
}
