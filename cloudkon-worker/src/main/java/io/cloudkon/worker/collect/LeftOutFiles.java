package io.cloudkon.worker.collect;

import io.cloudkon.core.model.CollectedFiles.LeftOut;
import io.cloudkon.core.model.Limits;
import java.util.ArrayList;
import java.util.List;

/**
 * Files that were asked for and are not brought back: the first of them by name. Not thread safe.
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

  /** Not within a pair of surrogates, which could not be written. */
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
