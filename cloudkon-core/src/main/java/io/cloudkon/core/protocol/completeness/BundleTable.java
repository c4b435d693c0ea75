package io.cloudkon.core.protocol.completeness;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The bundles that a client made, by sequence number, stored in arrays, so that ten million of them
 * fit in memory. Times are in seconds of the monotonic clock.
 */
final class BundleTable {
  /**
   * A bundle is checked at least once a day, so that a bundle that is to be sent again after 13
   * days is sent within the 14 days of a message, and a claim that is DONE is seen within the 15
   * days for which it is kept.
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

  /** Adds a bundle and returns its sequence number. */
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

  /** Marks the bundle as an HPC job. */
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

  /** Corrects the time at which the bundle was sent. */
  void sentAt(int sequence, int at) {
    sentAt[sequence] = at;
  }

  /** Records a sign of life, from which silence is counted. */
  void heard(int sequence, int now, int silence) {
    checks[sequence] = 0;
    quietUntil[sequence] = now + silence;
  }

  /** Makes the bundle count as silent for too long, if it was sent. */
  void doubt(int sequence, int now) {
    if (quietUntil[sequence] != Integer.MAX_VALUE) {
      heard(sequence, now, 0);
    }
  }

  /** Records a check; the time until the next one doubles, up to a day. */
  void looked(int sequence, int now, int silence) {
    checks[sequence] = (byte) Math.min(10, checks[sequence] + 1);
    quietUntil[sequence] = now + Math.min(silence << checks[sequence], Math.max(silence, DAY));
  }

  boolean tooQuiet(int sequence, int now) {
    return missing[sequence] > 0 && quietUntil[sequence] <= now;
  }

  /** The bundle of a task; bundles are made in the order of the tasks. */
  int bundleOf(int ordinal) {
    int at = Arrays.binarySearch(first, 0, size, ordinal);
    return at >= 0 ? at : -at - 2;
  }
}
