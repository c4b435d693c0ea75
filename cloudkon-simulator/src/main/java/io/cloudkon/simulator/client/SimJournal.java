package io.cloudkon.simulator.client;

import io.cloudkon.core.port.SlotTimes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The files of a client, which outlive its process. Sequence numbers start at 0. */
public final class SimJournal {
  private int[] first = new int[64];
  private long[] sentAt = new long[64];
  private long[] sendBegun = new long[64];
  private int bundles;
  private int tasks;
  private long tookMicros;
  private long took;
  private long jobsTookMicros;
  private long jobsTook;
  private final BitSet confirmed = new BitSet();
  private final BitSet finals = new BitSet();
  private final BitSet lost = new BitSet();
  private String firstQueue = "";
  private boolean objects;
  private boolean storedResults;
  private List<String> moves = new ArrayList<>();
  private final Folder folder;

  /** The location of the journal. */
  private static final class Folder {
    @Nullable SimJournal last;
  }

  /** An empty journal. */
  public SimJournal() {
    this(new Folder());
  }

  private SimJournal(Folder folder) {
    this.folder = folder;
  }

  /**
   * A journal for another client of the same run, which continues from the content at the time when
   * it opens the journal. A former client that is still alive keeps its own file; the other client
   * then has a copy.
   */
  public SimJournal successor() {
    return new SimJournal(folder);
  }

  /** Continues with the content of the journal that was opened last. */
  void open() {
    SimJournal before = folder.last;
    folder.last = this;
    if (before != null && before != this) {
      first = before.first.clone();
      sentAt = before.sentAt.clone();
      sendBegun = before.sendBegun.clone();
      bundles = before.bundles;
      tasks = before.tasks;
      tookMicros = before.tookMicros;
      took = before.took;
      jobsTookMicros = before.jobsTookMicros;
      jobsTook = before.jobsTook;
      confirmed.or(before.confirmed);
      finals.or(before.finals);
      lost.or(before.lost);
      firstQueue = before.firstQueue;
      objects = before.objects;
      storedResults = before.objects; // the real journal does not tell them apart
      moves = new ArrayList<>(before.moves);
    }
  }

  /** Records that the run has begun, with its first response queue. */
  void begun(String queue) {
    firstQueue = queue;
  }

  /** Records that the run has or may have objects in the bucket. */
  void noteObjects() {
    objects = true;
  }

  /** Whether the run is known to have, or may have, objects in the bucket. */
  boolean hasObjects() {
    return objects;
  }

  /** Records that workers have stored results of the run. */
  void noteResults() {
    objects = true;
    storedResults = true;
  }

  /** Whether workers are known to have stored results of the run. */
  boolean hasStoredResults() {
    return storedResults;
  }

  /** The first response queue; empty before the run has begun. */
  String firstQueue() {
    return firstQueue;
  }

  /** Records that results are about to go to this queue. */
  void moved(String queue) {
    moves.add(queue);
  }

  /** The queues that results may have gone to; none before the run has begun. */
  List<String> queues() {
    List<String> queues = new ArrayList<>(moves);
    if (!firstQueue.isEmpty()) {
      queues.addFirst(firstQueue);
    }
    return queues;
  }

  /** Records a new bundle. */
  void made(int count) {
    if (bundles == first.length) {
      first = Arrays.copyOf(first, 2 * bundles);
      sentAt = Arrays.copyOf(sentAt, 2 * bundles);
      sendBegun = Arrays.copyOf(sendBegun, 2 * bundles);
    }
    first[bundles] = tasks;
    sendBegun[bundles] = -1;
    bundles++;
    tasks += count;
  }

  int bundles() {
    return bundles;
  }

  /** The number of tasks that are in a bundle. */
  int tasks() {
    return tasks;
  }

  int first(int sequence) {
    return first[sequence];
  }

  int count(int sequence) {
    return (sequence + 1 < bundles ? first[sequence + 1] : tasks) - first[sequence];
  }

  void sendBegun(int sequence, long now) {
    if (sendBegun[sequence] < 0) {
      sendBegun[sequence] = now;
    }
  }

  /** The time at which the bundle's first send began, in microseconds. */
  long sendBegun(int sequence) {
    return sendBegun[sequence];
  }

  /** Records that the request queue accepted the bundle. */
  void confirmed(int sequence, long now) {
    confirmed.set(sequence);
    sentAt[sequence] = now;
  }

  boolean isConfirmed(int sequence) {
    return confirmed.get(sequence);
  }

  long sentAt(int sequence) {
    return sentAt[sequence];
  }

  void result(int ordinal) {
    finals.set(ordinal);
  }

  /** Records the duration of a task, or of a job of that many ranks. */
  void took(long micros, int ranks) {
    if (ranks > 0) {
      jobsTookMicros += ranks * micros;
      jobsTook++;
    } else {
      tookMicros += micros;
      took++;
    }
  }

  /** The mean slot times of the tasks and jobs that have run. */
  SlotTimes slotTimes() {
    return new SlotTimes(
        (double) tookMicros / Math.max(1, took), (double) jobsTookMicros / Math.max(1, jobsTook));
  }

  /** The number of tasks that the request queue has accepted. */
  long confirmedTasks() {
    return confirmed.stream().mapToLong(this::count).sum();
  }

  void lost(int ordinal) {
    lost.set(ordinal);
  }

  BitSet results() {
    return finals;
  }

  BitSet lost() {
    return lost;
  }
}
