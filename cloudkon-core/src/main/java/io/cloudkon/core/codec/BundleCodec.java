package io.cloudkon.core.codec;

import static io.cloudkon.core.codec.MalformedMessageException.check;

import com.google.protobuf.InvalidProtocolBufferException;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.CollectRule;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.wire.WireBundle;
import io.cloudkon.core.wire.WireClaim;
import io.cloudkon.core.wire.WireConsistency;
import io.cloudkon.core.wire.WireTask;
import java.util.ArrayList;
import java.util.List;

/** Encodes and decodes bundles. Stateless and thread safe. */
public final class BundleCodec {
  /** The schema version that this code writes, and the highest that it reads. */
  public static final int VERSION = 1;

  private static final Wire<WireBundle> FORMAT =
      new Wire<>(
          "bundle", WireBundle.parser(), WireBundle.TASKS_FIELD_NUMBER, Limits.MESSAGE_BYTES);

  private BundleCodec() {}

  /** Encodes the work alone, in the form for the blob store; {@link #decodeWork} decodes it. */
  public static byte[] encodeWork(Work work) {
    return TaskCodec.encodeWork(work);
  }

  /**
   * Decodes work from the blob store.
   *
   * @throws MalformedMessageException if the bytes are not valid work
   */
  public static Work decodeWork(byte[] bytes) throws MalformedMessageException {
    try {
      Work work = TaskCodec.work(WireTask.parseFrom(bytes));
      check(!(work instanceof Work.Stored), "work, where a task says that it is stored");
      check(!(work instanceof Work.Hpc), "what each rank does, where a job says that it is stored");
      return work;
    } catch (InvalidProtocolBufferException e) {
      throw new MalformedMessageException("expected stored work as protobuf: " + e.getMessage(), e);
    }
  }

  /**
   * The number of bytes that the task adds to a bundle in which it follows its predecessor without
   * a gap.
   */
  public static int sizeOf(Task task) {
    int size = TaskCodec.toWire(task, task.ordinal()).getSerializedSize();
    return size + (size < 128 ? 2 : 4);
  }

  /**
   * Encodes a bundle; the result is within {@link Limits#MESSAGE_BYTES} if the bundler observed its
   * limits.
   */
  public static byte[] encode(Bundle bundle) {
    BundleHeader header = bundle.header();
    WireBundle.Builder wire =
        WireBundle.newBuilder()
            .setVersion(VERSION)
            .setRun(header.run())
            .setEpoch(header.epoch())
            .setBundle(header.bundle())
            .setResponseQueue(header.responseQueue())
            .setConsistency(toWire(header.consistency()))
            .setClaim(toWire(header.claim()))
            .setCaptureBytes(header.captureBytes())
            .setSubmittedMicros(header.submittedMicros())
            .setSendBegunMicros(header.sendBegunMicros())
            .setEstimatedMicros(header.estimatedMicros())
            .setFirstOrdinal(bundle.tasks().getFirst().ordinal());
    header.ships().forEach(ship -> wire.addShips(Contents.toWire(ship)));
    if (!header.collect().equals(CollectRule.NONE)) {
      wire.setCollect(FilesCodec.toWire(header.collect()));
    }
    int expected = bundle.tasks().getFirst().ordinal();
    for (Task task : bundle.tasks()) {
      wire.addTasks(TaskCodec.toWire(task, expected));
      expected = task.ordinal() + 1;
    }
    return wire.build().toByteArray();
  }

  /**
   * Decodes a bundle from untrusted bytes.
   *
   * @throws MalformedMessageException if they are not a bundle within all limits
   */
  public static Bundle decode(byte[] bytes) throws MalformedMessageException {
    WireBundle wire = FORMAT.parse(bytes);
    check(wire.getVersion() != 0, "a bundle with its schema version");
    check(
        wire.getVersion() == VERSION,
        "a bundle of schema version " + VERSION + " or lower; start newer workers");
    Ids.checkBundle(wire.getRun(), wire.getEpoch(), wire.getBundle());
    check(Ids.isName(wire.getResponseQueue(), Ids.QUEUE_CHARS), "a response queue's name");
    check(
        wire.getCaptureBytes() >= 0 && wire.getCaptureBytes() <= Limits.CAPTURE_BYTES,
        "a capture limit of at most " + Limits.CAPTURE_BYTES + " bytes");
    check(wire.getAfterCount() == 0, "a bundle without dependencies");
    check(wire.getDefaultTimeoutMillis() >= 0, "a timeout of 0 ms or more");
    BundleHeader header =
        new BundleHeader(
            wire.getRun(),
            wire.getEpoch(),
            wire.getBundle(),
            wire.getResponseQueue(),
            fromWire(wire.getConsistency()),
            wire.getCaptureBytes(),
            wire.getSubmittedMicros(),
            wire.getSendBegunMicros(),
            Math.max(0, wire.getEstimatedMicros()),
            Contents.ships(wire.getShipsList()),
            fromWire(wire.getClaim()),
            FilesCodec.fromWire(wire.getCollect()));
    return new Bundle(header, tasks(wire));
  }

  private static List<Task> tasks(WireBundle wire) throws MalformedMessageException {
    check(
        wire.getTasksCount() >= 1 && wire.getTasksCount() <= Limits.TASKS_PER_BUNDLE,
        "1 to " + Limits.TASKS_PER_BUNDLE + " tasks");
    check(wire.getFirstOrdinal() >= 0, "an ordinal within the run's limit");
    List<Task> tasks = new ArrayList<>(wire.getTasksCount());
    int ordinal = wire.getFirstOrdinal();
    for (WireTask task : wire.getTasksList()) {
      ordinal = Ids.next(ordinal, task.getSkip());
      Task decoded = TaskCodec.fromWire(task, ordinal);
      tasks.add(
          decoded.timeoutMillis() == 0 && wire.getDefaultTimeoutMillis() > 0
              ? decoded.with(wire.getDefaultTimeoutMillis(), decoded.retries())
              : decoded);
      ordinal++;
    }
    return tasks;
  }

  private static WireConsistency toWire(Consistency consistency) {
    return switch (consistency) {
      case EXACTLY_ONCE -> WireConsistency.EXACTLY_ONCE;
      case AT_MOST_ONCE -> WireConsistency.AT_MOST_ONCE;
      case AT_LEAST_ONCE -> WireConsistency.AT_LEAST_ONCE;
    };
  }

  private static Consistency fromWire(WireConsistency wire) throws MalformedMessageException {
    return switch (wire) {
      case EXACTLY_ONCE -> Consistency.EXACTLY_ONCE;
      case AT_MOST_ONCE -> Consistency.AT_MOST_ONCE;
      case AT_LEAST_ONCE -> Consistency.AT_LEAST_ONCE;
      case CONSISTENCY_UNSPECIFIED, UNRECOGNIZED ->
          throw new MalformedMessageException("expected a known consistency");
    };
  }

  private static WireClaim toWire(ClaimScope claim) {
    return switch (claim) {
      case BUNDLE -> WireClaim.CLAIM_PER_BUNDLE;
      case TASK -> WireClaim.CLAIM_PER_TASK;
      case ONCE -> WireClaim.CLAIM_ONCE;
    };
  }

  private static ClaimScope fromWire(WireClaim wire) throws MalformedMessageException {
    return switch (wire) {
      case CLAIM_PER_BUNDLE -> ClaimScope.BUNDLE;
      case CLAIM_PER_TASK -> ClaimScope.TASK;
      case CLAIM_ONCE -> ClaimScope.ONCE;
      case UNRECOGNIZED -> throw new MalformedMessageException("expected a known scope of claims");
    };
  }
}
