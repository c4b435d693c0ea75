package io.cloudkon.client.template;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Limits;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the tasks' values: the Cartesian product of the groups, in which the last group
 * changes fastest. The sources of a group advance together. Not thread safe.
 */
final class Rows implements Closeable {
  private final List<Group> groups;
  private long number;

  private Rows(List<Group> groups) {
    this.groups = groups;
  }

  /**
   * Starts before the first task.
   *
   * @param groups the groups of linked sources
   */
  static Rows of(List<List<ValueSource>> groups) {
    List<Group> opened = new ArrayList<>();
    int before = 0;
    for (List<ValueSource> group : groups) {
      opened.add(new Group(group, before));
      before += group.size();
    }
    return new Rows(opened);
  }

  /**
   * Refuses more tasks than a run may have, as far as the sources know their number, before any
   * task is made.
   *
   * @throws UsageException if there are more
   */
  static void checkNumber(List<List<ValueSource>> groups) {
    long tasks = 1;
    for (List<ValueSource> group : groups) {
      long values = group.stream().mapToLong(source -> source.size().orElse(1)).max().orElse(1);
      if (values > Limits.TASKS_PER_RUN / tasks) {
        throw new UsageException(
            "%s: more than %,d tasks; expected them in several runs"
                .formatted(names(groups.stream().flatMap(List::stream)), Limits.TASKS_PER_RUN));
      }
      tasks *= values;
    }
  }

  private static String names(Stream<ValueSource> sources) {
    return sources.map(ValueSource::name).collect(Collectors.joining(" and "));
  }

  /**
   * The values of the next task; null after the last.
   *
   * @throws UsageException if a source has no values, or a value that cannot be passed to a program
   */
  @Nullable Row next() {
    if (!advance()) {
      return null;
    }
    List<String> values = new ArrayList<>();
    groups.forEach(group -> values.addAll(group.values));
    return new Row(++number, values);
  }

  private boolean advance() {
    if (number == 0) {
      groups.forEach(Group::begin);
      return true;
    }
    for (int i = groups.size() - 1; i >= 0; i--) {
      if (groups.get(i).advance()) {
        groups.subList(i + 1, groups.size()).forEach(Group::begin);
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() {
    groups.forEach(Group::close);
  }

  /** Linked sources and their current position. */
  private static final class Group {
    private final List<ValueSource> sources;
    private final int sourcesBefore;
    private final List<ValueSource.Cursor> cursors = new ArrayList<>();
    private final List<String> values = new ArrayList<>();
    private long taken;

    Group(List<ValueSource> sources, int sourcesBefore) {
      this.sources = sources;
      this.sourcesBefore = sourcesBefore;
    }

    /** Moves to the first values. */
    void begin() {
      close();
      taken = 0;
      for (ValueSource source : sources) {
        cursors.add(source.open());
      }
      if (!advance()) {
        throw new UsageException("%s: no values; expected at least one".formatted(names()));
      }
    }

    boolean advance() {
      values.clear();
      BitSet ended = new BitSet();
      for (int i = 0; i < cursors.size(); i++) {
        @Nullable String value = cursors.get(i).next();
        if (value == null) {
          ended.set(i);
        } else {
          values.add(value);
        }
      }
      if (!values.isEmpty() && !ended.isEmpty()) {
        throw uneven(ended);
      }
      taken++;
      return !values.isEmpty();
    }

    /**
     * The refusal of sources of which some have ended.
     *
     * @param ended the positions of those in this group
     */
    private UsageException uneven(BitSet ended) {
      String counts =
          IntStream.range(0, sources.size())
              .mapToObj(i -> described(i, ended.get(i)))
              .collect(Collectors.joining(", "));
      return new UsageException(
          "linked sources have different numbers of values: %s; expected one value of each for every task"
              .formatted(counts));
    }

    /** Such as {@code 2 in source 2 (:::+)}. Does not read on: standard input may never end. */
    private String described(int index, boolean ended) {
      ValueSource source = sources.get(index);
      String count =
          ended || source.size().isPresent()
              ? "%,d".formatted(source.size().orElse(taken))
              : "more than %,d".formatted(taken);
      String name = source.name() + (index > 0 && source instanceof ListedValues ? "+" : "");
      return "%s in source %d (%s)".formatted(count, sourcesBefore + index + 1, name);
    }

    private String names() {
      return Rows.names(sources.stream());
    }

    void close() {
      cursors.forEach(ValueSource.Cursor::close);
      cursors.clear();
    }
  }
}
