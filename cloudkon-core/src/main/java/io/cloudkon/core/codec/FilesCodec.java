package io.cloudkon.core.codec;

import static io.cloudkon.core.codec.MalformedMessageException.check;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.core.model.CollectRule;
import io.cloudkon.core.model.CollectedFiles;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.InputFile;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.TaskFiles;
import io.cloudkon.core.ship.FilePattern;
import io.cloudkon.core.wire.WireCollect;
import io.cloudkon.core.wire.WireCollected;
import io.cloudkon.core.wire.WireContent;
import io.cloudkon.core.wire.WireFile;
import io.cloudkon.core.wire.WireLeftOut;
import io.cloudkon.core.wire.WireTask;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Encodes and decodes the files of tasks and the files that they bring back. */
final class FilesCodec {
  /** The maximum size of the tag and the length of a text or message. */
  private static final int LENGTH_BYTES = 1 + 5;

  private static final int NUMBER_BYTES = 1 + 10;

  private FilesCodec() {}

  static void toWire(TaskFiles files, WireTask.Builder wire) {
    for (InputFile file : files.inputs()) {
      wire.addFiles(
          WireFile.newBuilder()
              .setPath(file.path())
              .setContent(Contents.toWire(file.content()))
              .build());
    }
    List<String> collect = files.collect();
    if (collect != null) {
      wire.setCollect(WireCollect.newBuilder().addAllPatterns(collect));
    }
  }

  static TaskFiles fromWire(WireTask wire) throws MalformedMessageException {
    if (wire.getFilesCount() == 0 && !wire.hasCollect()) {
      return TaskFiles.NONE;
    }
    check(wire.getFilesCount() <= Limits.TASK_FILES, "at most " + Limits.TASK_FILES + " files");
    List<InputFile> inputs = new ArrayList<>(wire.getFilesCount());
    Set<String> paths = new HashSet<>();
    int bytes = 0;
    for (WireFile file : wire.getFilesList()) {
      check(isPath(file.getPath()) && paths.add(file.getPath()), "paths below a directory");
      bytes += file.getPath().getBytes(UTF_8).length;
      inputs.add(new InputFile(file.getPath(), content(file.getContent())));
    }
    check(
        bytes <= Limits.TASK_FILES_BYTES, "paths of " + Limits.TASK_FILES_BYTES + " bytes at most");
    return new TaskFiles(inputs, wire.hasCollect() ? patterns(wire.getCollect()) : null);
  }

  private static boolean isPath(String path) {
    try {
      return InputFile.checkedPath(path).equals(path);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static Content content(WireContent wire) throws MalformedMessageException {
    check(wire.getName().isEmpty(), "a task's own file without a name of its content");
    return Contents.fromWire(wire);
  }

  private static List<String> patterns(WireCollect wire) throws MalformedMessageException {
    check(
        wire.getPatternsCount() <= Limits.COLLECT_PATTERNS,
        "at most " + Limits.COLLECT_PATTERNS + " patterns");
    for (String pattern : wire.getPatternsList()) {
      check(
          pattern.length() <= Limits.COLLECT_PATTERN_CHARS && isPattern(pattern),
          "patterns of files below a directory");
    }
    return wire.getPatternsList();
  }

  private static boolean isPattern(String pattern) {
    try {
      FilePattern unused = FilePattern.of(pattern);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  static WireCollect toWire(CollectRule rule) {
    WireCollect.Builder wire =
        WireCollect.newBuilder().addAllPatterns(rule.patterns()).setFailed(rule.failed());
    if (rule.maxBytes() != CollectRule.DEFAULT_BYTES) {
      wire.setBytes(rule.maxBytes());
    }
    if (rule.maxFiles() != CollectRule.DEFAULT_FILES) {
      wire.setFiles(rule.maxFiles());
    }
    return wire.build();
  }

  static CollectRule fromWire(WireCollect wire) throws MalformedMessageException {
    if (wire.equals(WireCollect.getDefaultInstance())) {
      return CollectRule.NONE;
    }
    check(
        wire.getBytes() >= 0 && wire.getBytes() <= Limits.BLOB_BYTES,
        "files of at most " + Limits.BLOB_BYTES + " bytes to bring back");
    check(wire.getFiles() >= 0, "a number of files to bring back");
    return new CollectRule(
        patterns(wire),
        wire.getFailed(),
        wire.hasBytes() ? wire.getBytes() : CollectRule.DEFAULT_BYTES,
        wire.hasFiles() ? wire.getFiles() : CollectRule.DEFAULT_FILES);
  }

  /** The maximum number of bytes that they take within a result. */
  static int sizeOf(CollectedFiles files) {
    if (files.isNone()) {
      return 0;
    }
    int size =
        LENGTH_BYTES
            + LENGTH_BYTES
            + 3 * files.key().length()
            + 4 * NUMBER_BYTES
            + LENGTH_BYTES
            + 3 * files.error().length();
    for (CollectedFiles.LeftOut one : files.leftOut()) {
      size += 3 * LENGTH_BYTES + 3 * (one.name().length() + one.why().length());
    }
    for (String name : files.discarded().names()) {
      size += LENGTH_BYTES + 3 * name.length();
    }
    return size;
  }

  static WireCollected toWire(CollectedFiles files) {
    WireCollected.Builder wire =
        WireCollected.newBuilder()
            .setKey(files.key())
            .setCount(files.count())
            .setBytes(files.bytes())
            .setLeftOutAll(files.leftOutCount())
            .setError(files.error())
            .addAllDiscarded(files.discarded().names())
            .setDiscardedAll(files.discarded().count());
    for (CollectedFiles.LeftOut one : files.leftOut()) {
      wire.addLeftOut(WireLeftOut.newBuilder().setName(one.name()).setWhy(one.why()));
    }
    return wire.build();
  }

  static CollectedFiles fromWire(WireCollected wire) throws MalformedMessageException {
    check(wire.getKey().length() <= Limits.KEY_CHARS, "a key of legal length");
    check(
        wire.getCount() >= 0 && wire.getBytes() >= 0 && wire.getLeftOutAll() >= 0,
        "numbers of files of 0 or more");
    check(wire.getLeftOutAll() >= wire.getLeftOutList().size(), "all files that were left out");
    check(
        wire.getLeftOutList().size() <= Limits.LEFT_OUT,
        "names of at most " + Limits.LEFT_OUT + " files that were left out");
    List<String> discarded = List.copyOf(wire.getDiscardedList());
    check(
        discarded.size() <= Limits.DISCARDED
            && discarded.stream().allMatch(name -> name.length() <= Limits.LEFT_OUT_CHARS),
        "at most " + Limits.DISCARDED + " names of legal length of what was discarded");
    check(wire.getDiscardedAll() >= discarded.size(), "everything that was discarded");
    List<CollectedFiles.LeftOut> leftOut = new ArrayList<>(wire.getLeftOutList().size());
    for (WireLeftOut one : wire.getLeftOutList()) {
      check(
          one.getName().length() <= Limits.LEFT_OUT_CHARS
              && one.getWhy().length() <= Limits.LEFT_OUT_CHARS,
          "names and reasons of legal length");
      leftOut.add(new CollectedFiles.LeftOut(one.getName(), one.getWhy()));
    }
    return new CollectedFiles(
        wire.getKey(),
        wire.getCount(),
        wire.getBytes(),
        leftOut,
        wire.getLeftOutAll(),
        List.of(),
        wire.getError(),
        new CollectedFiles.Discarded(discarded, wire.getDiscardedAll()));
  }
}
