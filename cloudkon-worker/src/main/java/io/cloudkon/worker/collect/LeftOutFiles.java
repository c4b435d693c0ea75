package io.cloudkon.worker.collect;

import io.cloudkon.core.model.CollectedFiles.LeftOut;
import io.cloudkon.core.model.Limits;
import java.util.ArrayList;
import java.util.List;

/**
 * The requested files that are not brought back: their number, and the first of them in order of
 * names. Not thread safe.
 */
final class LeftOutFiles {
  private final List<LeftOut> first = new ArrayList<>();
  private int count;

  void add(String name, String why) {
    count++;
    if (first.size() < Limits.LEFT_OUT) {
      first.add(new LeftOut(cut(name), cut(why)));
    }
  }

  /** Cuts a text, but not within a surrogate pair, which could not be written. */
  private static String cut(String text) {
    if (text.length() <= Limits.LEFT_OUT_CHARS) {
      return text;
    }
    int end = Limits.LEFT_OUT_CHARS - 1;
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + '…';
  }

  List<LeftOut> first() {
    return first;
  }

  int count() {
    return count;
  }
}
