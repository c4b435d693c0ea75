package io.cloudkon.client.answers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cloudkon.core.error.CloudKonException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The answers that are wanted, in the order that is wanted. Of each task only the place of its line
 * is kept, and, in another order than the workload's, the value that it goes by. Not thread safe.
 */
final class ChosenAnswers {
  private static final long NONE = -1;

  /** A place is a part's number, and behind it so many bits of a line's offset in it. */
  private static final int OFFSET_BITS = 48;

  /** Texts that begin alike for so long are in the workload's order. */
  private static final int KEY_CHARS = 100;

  private final List<Part> parts;
  private final Choice choice;
  private final Optional<Commands> commands;

  /** The place of each task's line; {@value #NONE} of those that are not wanted. */
  private long[] places = new long[1024];

  /** By task, where they are not to come in the workload's order. */
  private @Nullable Object[] keys = new Object[0];

  private int tasks;

  private ChosenAnswers(List<Part> parts, Choice choice, Optional<Commands> commands) {
    this.parts = parts;
    this.choice = choice;
    this.commands = commands;
    Arrays.fill(places, NONE);
  }

  /**
   * The answers of one run.
   *
   * @param index the place of each of its tasks in the workload
   */
  record Part(AnswerFile file, IntUnaryOperator index) {

    /** The next line, with the task's place in the workload; null behind the last whole one. */
    @Nullable JsonNode next() {
      @Nullable JsonNode line = file.next();
      if (line instanceof ObjectNode object) {
        object.put(Column.INDEX.key(), index.applyAsInt(object.path(Column.INDEX.key()).asInt()));
      }
      return line;
    }
  }

  /**
   * Reads all files once, and sees which answers are wanted.
   *
   * @param parts of a run and its reruns: what a later one says of a task holds
   */
  static ChosenAnswers of(List<Part> parts, Choice choice, Optional<Commands> commands) {
    ChosenAnswers chosen = new ChosenAnswers(parts, choice, commands);
    chosen.look();
    return chosen;
  }

  private boolean inOrder() {
    return choice.order() == Column.INDEX;
  }

  private void look() {
    if (!inOrder()) {
      commands.ifPresent(Commands::inAnyOrder);
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
      if (choice.takes(line)) {
        put(line, index, (long) part << OFFSET_BITS | offset);
      } else if (index < places.length) {
        places[index] = NONE;
      }
      offset = from.file().offset();
    }
  }

  private void put(JsonNode line, int index, long place) {
    if (index >= places.length) {
      int before = places.length;
      places = Arrays.copyOf(places, Math.max(index + 1, 2 * before));
      Arrays.fill(places, before, places.length, NONE);
    }
    places[index] = place;
    tasks = Math.max(tasks, index + 1);
    if (!inOrder()) {
      if (keys.length < places.length) {
        keys = Arrays.copyOf(keys, places.length);
      }
      keys[index] = key(line, index);
    }
  }

  private @Nullable Object key(JsonNode line, int index) {
    JsonNode value =
        choice.order() == Column.COMMAND
            ? choice.order().of(answer(line, index))
            : choice.order().of(line);
    if (value.isMissingNode() || value.isNull()) {
      return null;
    }
    if (choice.order().isNumber()) {
      return value.asDouble();
    }
    String text = value.asText();
    return text.length() > KEY_CHARS ? text.substring(0, KEY_CHARS) : text;
  }

  private Answer answer(JsonNode line, int index) {
    return new Answer(line, commands.map(all -> all.of(index)).orElse(""));
  }

  /** Gives them to somebody, one after the other. */
  void forEach(Consumer<Answer> to) {
    IntStream wanted = IntStream.range(0, tasks).filter(index -> places[index] != NONE);
    if (inOrder()) {
      wanted.forEach(index -> to.accept(read(index)));
    } else {
      Comparator<Integer> order = Comparator.comparing(index -> keys[index], KEYS);
      wanted.boxed().sorted(order).forEach(index -> to.accept(read(index)));
    }
  }

  /** Numbers as numbers, texts as texts; what has no value comes last. */
  @SuppressWarnings("unchecked") // the keys of one column are of one class
  private static final Comparator<@Nullable Object> KEYS =
      Comparator.nullsLast((a, b) -> ((Comparable<Object>) a).compareTo(b));

  private Answer read(int index) {
    Part part = parts.get((int) (places[index] >> OFFSET_BITS));
    part.file().seek(places[index] & (1L << OFFSET_BITS) - 1);
    @Nullable JsonNode line = part.next();
    if (line == null) {
      throw new CloudKonException("the results are being replaced; ask again when that is over");
    }
    return answer(line, index);
  }
}
