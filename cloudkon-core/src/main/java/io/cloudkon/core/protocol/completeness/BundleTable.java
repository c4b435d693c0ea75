package io.cloudkon.core.protocol.completeness;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The bundles that a client made, by sequence number, in arrays: ten million of them must fit
 * beside everything else. Times are in seconds of the monotonic clock.
 */
final class BundleTable {
  /**
   * A bundle is looked at once a day at least: what is to be sent again after 13 days is, within
   * the 14 of a message, and a claim that is DONE is seen within the 15 that it is kept.
   */
  private static final int DAY = 24 * 3600;

  private int[] first = new int[1024];
  private short[] count = new short[1024];
  private short[] missing = new short[1024];
  private int[] sentAt = new int[1024];
  private int[] quietUntil = new int[1024];
  private byte[] checks = new byte[1024];
  private final BitSet jobs = new BitSet();
  private int size;

  /** Adds a bundle and gives its sequence number. */
  int add(int firstOrdinal, int tasks) {
    if (size == first.length) {
      int larger = Math.max(1024, size + (size >> 1));
      first = Arrays.copyOf(first, larger);
      count = Arrays.copyOf(count, larger);
      missing = Arrays.copyOf(missing, larger);
      sentAt = Arrays.copyOf(sentAt, larger);
      quietUntil = Arrays.copyOf(quietUntil, larger);
      checks = Arrays.copyOf(checks, larger);
    }
    first[size] = firstOrdinal;
    count[size] = (short) tasks;
    missing[size] = (short) tasks;
    quietUntil[size] = Integer.MAX_VALUE;
    return size++;
  }

  /** It is an HPC job. */
  void job(int sequence) {
    jobs.set(sequence);
  }

  boolean isJob(int sequence) {
    return jobs.get(sequence);
  }

  int size() {
    return size;
  }

  boolean has(int sequence) {
    return sequence >= 0 && sequence < size;
  }

  int first(int sequence) {
    return first[sequence];
  }

  int count(int sequence) {
    return count[sequence];
  }

  int missing(int sequence) {
    return missing[sequence];
  }

  void got(int sequence) {
    missing[sequence]--;
  }

  int sentAt(int sequence) {
    return sentAt[sequence];
  }

  void sent(int sequence, int now, int silence) {
    sentAt[sequence] = now;
    heard(sequence, now, silence);
  }

  /** It was sent at another time than thought. */
  void sentAt(int sequence, int at) {
    sentAt[sequence] = at;
  }

  /** A sign of life: silence counts from here. */
  void heard(int sequence, int now, int silence) {
    checks[sequence] = 0;
    quietUntil[sequence] = now + silence;
  }

  /** Silence, if it was sent, has lasted too long already. */
  void doubt(int sequence, int now) {
    if (quietUntil[sequence] != Integer.MAX_VALUE) {
      heard(sequence, now, 0);
    }
  }

  /** It was looked at: the next look is twice as far off, up to a day. */
  void looked(int sequence, int now, int silence) {
    checks[sequence] = (byte) Math.min(10, checks[sequence] + 1);
    quietUntil[sequence] = now + Math.min(silence << checks[sequence], Math.max(silence, DAY));
  }

  boolean tooQuiet(int sequence, int now) {
    return missing[sequence] > 0 && quietUntil[sequence] <= now;
  }

  /** The bundle of a task, as bundles are made in the order of the tasks. */
  int bundleOf(int ordinal) {
    int at = Arrays.binarySearch(first, 0, size, ordinal);
    return at >= 0 ? at : -at - 2;
  }
}
