package io.cloudkon.client.answers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cloudkon.client.report.ResultRecord;
import io.cloudkon.core.error.CloudKonException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The selected answers in the requested order. For each task, memory holds only the place of its
 * line and, unless the order is the workload's, the value to sort by. Not thread safe.
 */
final class ChosenAnswers {
  private static final long NONE = -1;

  /**
   * The lower bits of a place that hold the line's offset; the bits above hold the number of the
   * part.
   */
  private static final int OFFSET_BITS = 48;

  /**
   * The number of characters that are compared; texts that do not differ in them keep the
   * workload's order.
   */
  private static final int KEY_CHARS = 100;

  private final List<Part> parts;
  private final Choice choice;
  private final Optional<SentTasks> sent;
  private final AnswerFacts facts = new AnswerFacts();

  /** The tasks with a line. */
  private final BitSet known = new BitSet();

  /** The place of each task's line; {@value #NONE} for tasks that are not selected. */
  private long[] places = new long[1024];

  /** The sort keys by task; unused in the workload's order. */
  private @Nullable Object[] keys = new Object[0];

  private int tasks;

  private ChosenAnswers(List<Part> parts, Choice choice, Optional<SentTasks> sent) {
    this.parts = parts;
    this.choice = choice;
    this.sent = sent;
    Arrays.fill(places, NONE);
  }

  /**
   * The answers of one run.
   *
   * @param index the place of each of its tasks in the workload
   */
  record Part(AnswerFile file, IntUnaryOperator index) {

    /** The next line, with the task's place in the workload; null after the last complete one. */
    @Nullable JsonNode next() {
      @Nullable JsonNode line = file.next();
      if (line instanceof ObjectNode object) {
        object.put(Column.INDEX.key(), index.applyAsInt(object.path(Column.INDEX.key()).asInt()));
      }
      return line;
    }
  }

  /**
   * Reads all files once and selects the answers.
   *
   * @param parts the run and its reruns; a later result of a task replaces an earlier one
   */
  static ChosenAnswers of(List<Part> parts, Choice choice, Optional<SentTasks> sent) {
    ChosenAnswers chosen = new ChosenAnswers(parts, choice, sent);
    chosen.look();
    return chosen;
  }

  private void look() {
    if (!choice.inOrder()) {
      sent.ifPresent(SentTasks::inAnyOrder);
    }
    for (int part = 0; part < parts.size(); part++) {
      look(part);
    }
  }

  private void look(int part) {
    Part from = parts.get(part);
    long offset = from.file().offset();
    for (JsonNode line = from.next(); line != null; line = from.next()) {
      int index = line.path(Column.INDEX.key()).asInt();
      if (!known.get(index) || !neverRan(line)) {
        look(line, index, (long) part << OFFSET_BITS | offset);
      }
      offset = from.file().offset();
    }
  }

  private void look(JsonNode line, int index, long place) {
    known.set(index);
    if (choice.takes(line)) {
      facts.add(line);
      put(line, index, place);
    } else if (index < places.length) {
      places[index] = NONE;
    }
  }

  /** See {@link ResultRecord#neverRan}. */
  static boolean neverRan(JsonNode line) {
    return ResultRecord.neverRan(
        line.path(Column.STATUS.key()).asText(), line.path(Column.WORKER.key()).asText());
  }

  private void put(JsonNode line, int index, long place) {
    if (index >= places.length) {
      int before = places.length;
      places = Arrays.copyOf(places, Math.max(index + 1, 2 * before));
      Arrays.fill(places, before, places.length, NONE);
    }
    places[index] = place;
    tasks = Math.max(tasks, index + 1);
    if (!choice.inOrder()) {
      if (keys.length < places.length) {
        keys = Arrays.copyOf(keys, places.length);
      }
      keys[index] = key(line, index);
    }
  }

  private @Nullable Object key(JsonNode line, int index) {
    JsonNode value =
        choice.order().isOfTask()
            ? choice.order().of(answer(line, index))
            : choice.order().of(line);
    if (value.isMissingNode() || value.isNull()) {
      return null;
    }
    if (choice.order().isNumber()) {
      return value.asDouble();
    }
    String text = value.asText();
    if (choice.order().isOfValue() && NumberText.isFinite(text)) {
      return Double.valueOf(text);
    }
    return text.length() > KEY_CHARS ? text.substring(0, KEY_CHARS) : text;
  }

  private Answer answer(JsonNode line, int index) {
    return new Answer(line, sent.map(all -> all.of(index)).orElse(SentTask.UNKNOWN));
  }

  /** The facts about the selected answers. */
  AnswerFacts facts() {
    return facts;
  }

  /** Passes the answers on, one after the other. */
  void forEach(Consumer<Answer> to) {
    IntStream wanted = IntStream.range(0, tasks).filter(index -> places[index] != NONE);
    if (choice.inOrder()) {
      wanted.forEach(index -> to.accept(read(index)));
    } else {
      Comparator<Object> values = choice.descending() ? VALUES.reversed() : VALUES;
      Comparator<Integer> order =
          Comparator.comparing(index -> keys[index], Comparator.nullsLast(values));
      wanted.boxed().sorted(order).forEach(index -> to.accept(read(index)));
    }
  }

  /** Compares numbers as numbers and texts as texts; numbers come before texts. */
  private static final Comparator<Object> VALUES =
      (a, b) ->
          a instanceof Double x && b instanceof Double y
              ? x.compareTo(y)
              : a instanceof String s && b instanceof String t
                  ? s.compareTo(t)
                  : Boolean.compare(a instanceof String, b instanceof String);

  private Answer read(int index) {
    Part part = parts.get((int) (places[index] >> OFFSET_BITS));
    part.file().seek(places[index] & (1L << OFFSET_BITS) - 1);
    @Nullable JsonNode line = part.next();
    if (line == null) {
      throw new CloudKonException("the results are being replaced; try again later");
    }
    return answer(line, index);
  }
}
