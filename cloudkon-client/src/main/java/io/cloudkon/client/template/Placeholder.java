package io.cloudkon.client.template;

import io.cloudkon.core.error.UsageException;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A place in a command that is replaced by a task's values, written as in GNU parallel: {@code {}},
 * {@code {.}}, {@code {/}}, {@code {//}}, {@code {/.}}, each also for a single source ({@code {2}},
 * {@code {2.}}), and {@code {#}}.
 *
 * @param source the source of the value, from 1; or {@link #EVERY} or {@link #NUMBER}
 * @param form the part of the value that is inserted
 */
record Placeholder(int source, Form form) {
  /** The values of all sources. */
  static final int EVERY = 0;

  /** The task's number. */
  static final int NUMBER = -1;

  /**
   * The syntax in a command; group 1 is the sign for the task's number, 2 the source, 3 the form.
   */
  static final Pattern WRITTEN = Pattern.compile("\\{(?:(#)|(\\d{1,4})?(//|/\\.|/|\\.)?)}");

  /** The part of a value that is inserted. */
  enum Form {
    WHOLE(""),
    WITHOUT_EXTENSION("."),
    NAME("/"),
    FOLDER("//"),
    NAME_WITHOUT_EXTENSION("/.");

    private final String written;

    Form(String written) {
      this.written = written;
    }

    private static Form of(String written) {
      for (Form form : values()) {
        if (form.written.equals(written)) {
          return form;
        }
      }
      throw new IllegalArgumentException("no form is written " + written);
    }

    private String apply(String value) {
      return switch (this) {
        case WHOLE -> value;
        case WITHOUT_EXTENSION -> withoutExtension(value);
        case NAME -> lastName(value);
        case FOLDER -> folder(value);
        case NAME_WITHOUT_EXTENSION -> withoutExtension(lastName(value));
      };
    }
  }

  /**
   * Creates a placeholder from a match of {@link #WRITTEN}.
   *
   * @param sources the number of sources
   * @throws UsageException if it names a source that does not exist
   */
  static Placeholder of(MatchResult written, int sources) {
    if (written.group(1) != null) {
      return new Placeholder(NUMBER, Form.WHOLE);
    }
    String form = written.group(3);
    if (written.group(2) == null) {
      return new Placeholder(EVERY, Form.of(form == null ? "" : form));
    }
    int source = Integer.parseInt(written.group(2));
    if (source < 1 || source > sources) {
      throw new UsageException(
          "%s names source %d, but there %s; expected {1}%s%s"
              .formatted(
                  written.group(),
                  source,
                  sources == 1 ? "is one" : "are " + sources,
                  sources == 1 ? "" : " to {" + sources + "}",
                  form == null && written.start() > 0 ? literally(source) : ""));
    }
    return new Placeholder(source, Form.of(form == null ? "" : form));
  }

  /** A hint for a number of repetitions in a regular expression. */
  private static String literally(int times) {
    return "; to repeat a regular expression %1$d times, write {%1$d,%1$d}".formatted(times);
  }

  /** The values that replace it: one, or one of each source. */
  List<String> of(Row row) {
    return switch (source) {
      case NUMBER -> List.of(Long.toString(row.number()));
      case EVERY -> row.values().stream().map(form::apply).toList();
      default -> List.of(form.apply(row.values().get(source - 1)));
    };
  }

  /** Removes the part from the last dot on, if that dot is in the path's last name. */
  private static String withoutExtension(String path) {
    int dot = path.lastIndexOf('.');
    return dot > path.lastIndexOf('/') ? path.substring(0, dot) : path;
  }

  private static String lastName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /**
   * The folder as dirname(1) prints it: without trailing slashes, and "." if the path has no
   * folder.
   */
  private static String folder(String path) {
    String parent = cutSlashes(path);
    int slash = parent.lastIndexOf('/');
    if (slash < 0) {
      return ".";
    }
    String folder = cutSlashes(parent.substring(0, slash));
    return folder.isEmpty() ? "/" : folder;
  }

  private static String cutSlashes(String path) {
    int end = path.length();
    while (end > 1 && path.charAt(end - 1) == '/') {
      end--;
    }
    return path.substring(0, end);
  }
}
