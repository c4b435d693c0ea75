package io.cloudkon.client.report;

import static io.cloudkon.client.report.JsonBytes.ascii;

import io.cloudkon.core.model.RankResult;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * One line of {@code results.jsonl} as bytes; see {@link ResultsFile} for its fields. Not thread
 * safe.
 */
final class ResultLine {
  private static final byte[] TASK = ascii("{\"task\":");
  private static final byte[] INDEX = ascii(",\"index\":");
  private static final byte[] SUCCEEDED = status(TaskStatus.SUCCEEDED);
  private static final byte[] FAILED = status(TaskStatus.FAILED);
  private static final byte[] TIMED_OUT = status(TaskStatus.TIMED_OUT);
  private static final byte[] CANCELLED = status(TaskStatus.CANCELLED);
  private static final byte[] LOST = status(TaskStatus.LOST);

  private static final byte[] EXIT_CODE = ascii(",\"exitCode\":");
  private static final byte[] ERROR = ascii(",\"error\":");
  private static final Captured STDOUT = new Captured("stdout");
  private static final Captured STDERR = new Captured("stderr");
  private static final byte[] OUTPUT_ENCODING = ascii(",\"outputEncoding\":\"base64\"");
  private static final Captured OUTPUT = new Captured("output");
  private static final byte[] RANKS = ascii(",\"ranks\":[");
  private static final byte[] RANK = ascii("{\"rank\":");
  private static final byte[] NEXT_RANK = ascii(",{\"rank\":");
  private static final byte[] RANK_WORKER = ascii(",\"worker\":");
  private static final byte[] RANK_END = ascii("}");
  private static final byte[] RANKS_END = ascii("]");
  private static final byte[] STARTED_AT = ascii(",\"startedAt\":");
  private static final byte[] SECONDS = ascii(",\"seconds\":");
  private static final byte[] CPU_SECONDS = ascii(",\"cpuSeconds\":");
  private static final byte[] MAX_RSS_BYTES = ascii(",\"maxRssBytes\":");
  private static final byte[] STAGE_BEGUN = ascii(",\"stageBegun\":");
  private static final byte[] STAMPED_STARTED = ascii(",\"started\":");
  private static final byte[] FINISHED = ascii(",\"finished\":");

  /** The stamps that differ between the tasks of a bundle. */
  private static final Set<Stamp> OWN =
      EnumSet.of(Stamp.STAGE_BEGUN, Stamp.STARTED, Stamp.FINISHED);

  /** The keys of one captured stream. */
  private record Captured(byte[] key, byte[] base64, byte[] cut) {
    Captured(String name) {
      this(
          ascii(",\"" + name + "\":"),
          ascii(",\"" + name + "Base64\":"),
          ascii(",\"" + name + "Cut\":true,\"" + name + "Bytes\":"));
    }
  }

  private static final byte[] NOTHING = new byte[0];

  private final UnaryOperator<String> folders;
  private final IsoTime started = new IsoTime();

  // The part that the tasks of one bundle share is encoded once and found again by their
  // BundleTimes, which is cheap if they are the same object.
  private BundleTimes times = new BundleTimes(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  private String worker = "";
  private int attempt = -1;
  private byte[] beforeTries = NOTHING;
  private byte[] beforeStarted = NOTHING;
  private byte[] afterFinished = NOTHING;

  /**
   * A line of a run.
   *
   * @param folders the path of the files of a task by its id
   */
  ResultLine(UnaryOperator<String> folders) {
    this.folders = folders;
  }

  /** Appends the line and its line end. */
  void write(
      JsonBytes json, BundleTimes bundle, String by, int nth, TaskResult result, long offset) {
    if (!bundle.equals(times) || nth != attempt || !by.equals(worker)) {
      share(bundle, by, nth);
    }
    json.raw(TASK).string(result.id());
    json.raw(INDEX).number(result.ordinal());
    json.raw(keyed(result.status()));
    // If the task itself did not succeed, 0 is not the exit code of a command.
    if (result.exitCode() != 0
        || result.status() == TaskStatus.SUCCEEDED
        || result.lacksOnlyFiles()) {
      json.raw(EXIT_CODE).number(result.exitCode());
    }
    if (result.status() != TaskStatus.SUCCEEDED) {
      json.raw(ERROR).string(result.error());
    }
    if (result.stdoutBytes() > 0) {
      stream(json, STDOUT, result.stdout(), result.stdoutBytes());
    }
    if (result.stderrBytes() > 0) {
      stream(json, STDERR, result.stderr(), result.stderrBytes());
    }
    if (result.outputBytes() > 0) {
      output(json, result.output(), result.outputBytes());
    }
    if (!result.ranks().isEmpty()) {
      ranks(json, result.ranks());
    }
    if (!result.files().isNone()) {
      FilesField.write(json, () -> folders.apply(result.id()), result.files());
    }
    StageStamps stamps = StageStamps.of(bundle, result, offset);
    json.raw(beforeTries).number(result.tries());
    if (ran(result)) {
      json.raw(STARTED_AT);
      started.write(json, stamps.started());
      json.raw(SECONDS);
      IsoTime.writeSeconds(json, stamps.finished() - stamps.started());
    }
    if (result.usage().cpuMicros() > 0) {
      json.raw(CPU_SECONDS);
      IsoTime.writeSeconds(json, result.usage().cpuMicros());
    }
    if (result.usage().maxRssBytes() > 0) {
      json.raw(MAX_RSS_BYTES).number(result.usage().maxRssBytes());
    }
    json.raw(beforeStarted);
    if (stamps.stageBegun() < stamps.started()) {
      json.raw(STAGE_BEGUN).number(stamps.stageBegun());
    }
    json.raw(STAMPED_STARTED).number(stamps.started());
    json.raw(FINISHED).number(stamps.finished());
    json.raw(afterFinished);
  }

  /** Whether the task ran; one that never started has two equal stamps. */
  private static boolean ran(TaskResult result) {
    return result.status() == TaskStatus.SUCCEEDED
        || result.finishedMicros() > result.startedMicros();
  }

  private static byte[] status(TaskStatus status) {
    return ascii(",\"status\":\"" + status + "\"");
  }

  private static byte[] keyed(TaskStatus status) {
    return switch (status) {
      case SUCCEEDED -> SUCCEEDED;
      case FAILED -> FAILED;
      case TIMED_OUT -> TIMED_OUT;
      case CANCELLED -> CANCELLED;
      case LOST -> LOST;
    };
  }

  private static void text(JsonBytes json, Captured keys, byte[] kept, long all) {
    boolean cut = all > kept.length;
    json.raw(keys.key).text(kept, cut ? OutputEncoding.lengthOfWholeCharacters(kept) : kept.length);
    if (cut) {
      json.raw(keys.cut).number(all);
    }
  }

  private static void output(JsonBytes json, byte[] kept, long all) {
    if (OutputEncoding.isText(kept, textLength(kept, all))) {
      text(json, OUTPUT, kept, all);
      return;
    }
    json.raw(OUTPUT.key).base64(kept).raw(OUTPUT_ENCODING);
    if (all > kept.length) {
      json.raw(OUTPUT.cut).number(all);
    }
  }

  private static void ranks(JsonBytes json, List<RankResult> ranks) {
    byte[] before = RANK;
    json.raw(RANKS);
    for (RankResult rank : ranks) {
      json.raw(before).number(rank.rank());
      json.raw(RANK_WORKER).string(rank.worker());
      json.raw(EXIT_CODE).number(rank.exitCode());
      if (rank.stdout().length > 0) {
        stream(json, STDOUT, rank.stdout(), rank.stdout().length);
      }
      if (rank.stderr().length > 0) {
        stream(json, STDERR, rank.stderr(), rank.stderr().length);
      }
      json.raw(RANK_END);
      before = NEXT_RANK;
    }
    json.raw(RANKS_END);
  }

  /** Appends a stream as text, for people, and also as base64 if it is not UTF-8. */
  private static void stream(JsonBytes json, Captured keys, byte[] kept, long all) {
    text(json, keys, kept, all);
    if (!OutputEncoding.isText(kept, textLength(kept, all))) {
      json.raw(keys.base64).base64(kept);
    }
  }

  private static int textLength(byte[] kept, long all) {
    return all > kept.length ? OutputEncoding.lengthOfWholeCharacters(kept) : kept.length;
  }

  private void share(BundleTimes bundle, String by, int nth) {
    times = bundle;
    worker = by;
    attempt = nth;
    beforeTries =
        new JsonBytes(128)
            .raw(ascii(",\"worker\":"))
            .string(by)
            .raw(ascii(",\"attempt\":"))
            .number(nth)
            .raw(ascii(",\"tries\":"))
            .toBytes();
    StageStamps stamps = new StageStamps(bundle, 0, 0);
    JsonBytes before = new JsonBytes(256).raw(ascii(",\"stamps\":{"));
    JsonBytes after = new JsonBytes(256);
    for (Stamp stamp : Stamp.values()) {
      JsonBytes part = stamp.compareTo(Stamp.STARTED) < 0 ? before : after;
      if (OWN.contains(stamp)) {
        continue;
      }
      part.raw(ascii((stamp == Stamp.SUBMITTED ? "\"" : ",\"") + stamp.key() + "\":"))
          .number(stamps.at(stamp));
    }
    beforeStarted = before.toBytes();
    afterFinished = after.raw(ascii("}}\n")).toBytes();
  }
}
