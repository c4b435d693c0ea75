package io.cloudkon.core.protocol.completeness;

import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * The bundles that a client made, by sequence number, stored in arrays, so that ten million of them
 * fit in memory. Those before the first open one, whose results are all final, are let go: a
 * session of a day makes many more. Times are in seconds of the monotonic clock.
 */
final class BundleTable {
  /**
   * A bundle is checked at least once a day, so that a bundle that is to be sent again after 13
   * days is sent within the 14 days of a message, and a claim that is DONE is seen while it is
   * kept.
   */
  private static final int DAY = 24 * 3600;

  private int[] first = new int[1024];
  private short[] count = new short[1024];
  private short[] missing = new short[1024];
  private int[] sentAt = new int[1024];
  private int[] quietUntil = new int[1024];
  private byte[] checks = new byte[1024];
  private final BitSet jobs = new BitSet();

  /** The bundles of which a result is missing. */
  private final BitSet open = new BitSet();

  private int openCount;

  /** The bundles before this one are closed. */
  private int firstOpen;

  /** The sequence number of the first bundle in the arrays. */
  private int base;

  private int size;

  /** Adds a bundle and returns its sequence number. */
  int add(int firstOrdinal, int tasks) {
    int at = size - base;
    if (at == first.length) {
      makeRoom();
      at = size - base;
    }
    first[at] = firstOrdinal;
    count[at] = (short) tasks;
    missing[at] = (short) tasks;
    quietUntil[at] = Integer.MAX_VALUE;
    open.set(size);
    openCount++;
    return size++;
  }

  /** Drops the closed bundles before the first open one; leaves a third of the arrays free. */
  private void makeRoom() {
    int from = firstOpen - base;
    int kept = size - firstOpen;
    int to = from + Math.max(1024, kept + (kept >> 1));
    first = Arrays.copyOfRange(first, from, to);
    count = Arrays.copyOfRange(count, from, to);
    missing = Arrays.copyOfRange(missing, from, to);
    sentAt = Arrays.copyOfRange(sentAt, from, to);
    quietUntil = Arrays.copyOfRange(quietUntil, from, to);
    checks = Arrays.copyOfRange(checks, from, to);
    base = firstOpen;
  }

  /** The number of bundles for which the arrays have room. */
  int room() {
    return first.length;
  }

  /** Marks the bundle as an HPC job. */
  void job(int sequence) {
    jobs.set(sequence);
  }

  boolean isJob(int sequence) {
    return jobs.get(sequence);
  }

  /** Whether there is such a bundle, and it was not let go. */
  boolean has(int sequence) {
    return sequence >= firstOpen && sequence < size;
  }

  /** The ordinals of its tasks. */
  int[] tasks(int sequence) {
    int from = first[sequence - base];
    return IntStream.range(from, from + count[sequence - base]).toArray();
  }

  int missing(int sequence) {
    return missing[sequence - base];
  }

  /** Records one of the bundle's missing results. */
  void got(int sequence) {
    if (--missing[sequence - base] == 0) {
      open.clear(sequence);
      openCount--;
      if (sequence == firstOpen) {
        firstOpen = openCount == 0 ? size : open.nextSetBit(sequence);
      }
    }
  }

  /** The number of bundles of which a result is missing. */
  int openCount() {
    return openCount;
  }

  /** The bundles of which a result is missing, in order. */
  IntStream open() {
    return open.stream();
  }

  /**
   * The first bundle from this one on of which a result is missing; after the last one, the first
   * of all. There must be one.
   */
  int nextOpen(int from) {
    int next = open.nextSetBit(from);
    return next < 0 ? firstOpen : next;
  }

  int sentAt(int sequence) {
    return sentAt[sequence - base];
  }

  /** Records that the bundle was sent; its results may have arrived before. */
  void sent(int sequence, int now, int silence) {
    sentAt(sequence, now);
    heard(sequence, now, silence);
  }

  /** Corrects the time at which the bundle was sent. */
  void sentAt(int sequence, int at) {
    if (has(sequence)) {
      sentAt[sequence - base] = at;
    }
  }

  /** Records a sign of life, from which silence is counted. */
  void heard(int sequence, int now, int silence) {
    if (has(sequence)) {
      checks[sequence - base] = 0;
      quietUntil[sequence - base] = now + silence;
    }
  }

  /** Makes the bundle count as silent for too long, if it was sent. */
  void doubt(int sequence, int now) {
    if (quietUntil[sequence - base] != Integer.MAX_VALUE) {
      heard(sequence, now, 0);
    }
  }

  /** Records a check; the time until the next one doubles, up to a day. */
  void looked(int sequence, int now, int silence) {
    int at = sequence - base;
    checks[at] = (byte) Math.min(10, checks[at] + 1);
    quietUntil[at] = now + Math.min(silence << checks[at], Math.max(silence, DAY));
  }

  boolean tooQuiet(int sequence, int now) {
    return missing[sequence - base] > 0 && quietUntil[sequence - base] <= now;
  }

  /** The open bundle of a task; bundles are made in the order of the tasks. */
  int bundleOf(int ordinal) {
    int at = Arrays.binarySearch(first, 0, size - base, ordinal);
    return base + (at >= 0 ? at : -at - 2);
  }
}
