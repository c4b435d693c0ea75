package io.cloudkon.core.codec;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.CollectRule;
import io.cloudkon.core.model.CollectedFiles;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.InputFile;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskFiles;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.TaskUsage;
import io.cloudkon.core.model.Work;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Legal bundles and results of every kind, by seed. */
final class RandomMessages {
  private static final String LETTERS = "abcXYZ019 _-/=.äß€漢🚀\"\\\n\t";
  private static final long NOW = 1_790_000_000_000_000L;

  private final SplittableRandom random;

  RandomMessages(long seed) {
    random = new SplittableRandom(seed);
  }

  Bundle bundle(int maxTasks) {
    String bundle = BundleIds.of("run-1", "epoch_2", random.nextInt(1 << random.nextInt(1, 31)));
    for (int depth = random.nextInt(3); depth > 0; depth--) {
      bundle = BundleIds.child(bundle, random.nextInt(Limits.CHILDREN));
    }
    BundleHeader header =
        new BundleHeader(
            "run-1",
            "epoch_2",
            bundle,
            "Q-response-" + random.nextInt(1000),
            pick(Consistency.values()),
            random.nextInt(Limits.CAPTURE_BYTES + 1),
            number(NOW),
            number(NOW),
            number(NOW),
            Stream.generate(() -> content("ship" + random.nextInt(100)))
                .limit(random.nextInt(3))
                .toList(),
            pick(ClaimScope.values()),
            rarely(this::collectRule, CollectRule.NONE));
    return new Bundle(header, tasks(1 + random.nextInt(maxTasks)));
  }

  List<Task> tasks(int count) {
    List<Task> tasks = new ArrayList<>(count);
    int ordinal = firstOrdinal();
    for (int i = 0; i < count; i++) {
      tasks.add(
          new Task(
                  ordinal,
                  id(ordinal),
                  work(),
                  rarely(() -> number(1L << 40), 0L),
                  random.nextBoolean() ? 0 : random.nextInt(Limits.RETRIES + 1))
              .with(rarely(this::files, TaskFiles.NONE)));
      ordinal += 1 + gap();
    }
    return tasks;
  }

  ResultBatch results(int maxResults) {
    Bundle bundle = bundle(1);
    BundleHeader header = bundle.header();
    boolean failed = random.nextInt(20) == 0;
    long received = number(NOW);
    return new ResultBatch(
        header.run(),
        header.epoch(),
        header.bundle(),
        new ResultBatch.WorkerId(
            text(20),
            random.nextInt(1000),
            number(NOW),
            rarely(() -> text(20), ""),
            "",
            rarely(() -> text(20), "")),
        random.nextInt(10),
        "nonce-" + random.nextInt(1000),
        new ResultBatch.BundleStamps(number(NOW), received, number(NOW), number(NOW), number(NOW)),
        failed ? List.of() : results(1 + random.nextInt(maxResults), received),
        Stream.of("sqs.SendMessageBatch", "dynamodb.UpdateItem")
            .limit(random.nextInt(3))
            .map(o -> new ResultBatch.Calls(o, number(1 << 30), random.nextDouble() * 1000))
            .toList(),
        failed ? "x" + text(100) : "");
  }

  private List<TaskResult> results(int count, long received) {
    List<TaskResult> results = new ArrayList<>(count);
    int ordinal = firstOrdinal();
    for (int i = 0; i < count; i++) {
      byte[] stdout = bytes(200);
      byte[] stderr = bytes(200);
      byte[] output = bytes(200);
      long started = received + random.nextLong(-1_000_000, 100_000_000);
      results.add(
          new TaskResult(
                  ordinal,
                  id(ordinal),
                  pick(TaskStatus.values()),
                  random.nextBoolean() ? 0 : random.nextInt(-256, 256),
                  stdout,
                  stdout.length + rarely(() -> number(1L << 40), 0L),
                  stderr,
                  stderr.length + rarely(() -> number(1L << 40), 0L),
                  output,
                  output.length + rarely(() -> number(1L << 40), 0L),
                  random.nextBoolean() ? "" : text(100),
                  started,
                  started + number(1L << 40),
                  1 + random.nextInt(5))
              .with(
                  new TaskUsage(
                      rarely(() -> number(1L << 40), 0L),
                      rarely(() -> number(1L << 40), 0L),
                      rarely(() -> number(1L << 40), 0L)))
              .with(rarely(this::collected, CollectedFiles.NONE)));
      ordinal += 1 + gap();
    }
    return results;
  }

  private CollectRule collectRule() {
    return new CollectRule(
        patterns(), random.nextBoolean(), number(Limits.BLOB_BYTES), random.nextInt(100_000));
  }

  private List<String> patterns() {
    return Stream.of("out/*", "**/*.csv", "log").limit(random.nextInt(4)).toList();
  }

  private TaskFiles files() {
    return new TaskFiles(
        IntStream.range(0, random.nextInt(4))
            .mapToObj(i -> new InputFile("in/ä " + i, content("")))
            .toList(),
        random.nextBoolean() ? null : patterns());
  }

  private CollectedFiles collected() {
    int leftOut = random.nextInt(Limits.LEFT_OUT);
    return new CollectedFiles(
        random.nextBoolean() ? "" : "run-1/out/" + text(50),
        random.nextInt(10_000),
        number(1L << 40),
        Stream.generate(() -> new CollectedFiles.LeftOut(text(50), text(50)))
            .limit(leftOut)
            .toList(),
        leftOut + random.nextInt(100),
        List.of(),
        text(100),
        discarded());
  }

  private CollectedFiles.Discarded discarded() {
    List<String> names =
        Stream.generate(() -> text(50)).limit(random.nextInt(Limits.DISCARDED + 1)).toList();
    return new CollectedFiles.Discarded(names, names.size() + random.nextInt(100));
  }

  private Work work() {
    return switch (random.nextInt(5)) {
      case 4 ->
          new Work.Stored(random.nextBoolean() ? Work.Kind.EXEC : Work.Kind.JAVA, content(""));
      case 0 -> Work.Noop.INSTANCE;
      case 1 -> new Work.Sleep(number(1L << 40));
      case 2 -> {
        Map<String, String> environment = new HashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          environment.put("NAME_" + random.nextInt(100), text(20));
        }
        List<String> argv = new ArrayList<>(List.of("prog"));
        argv.addAll(texts());
        yield new Work.Exec(
            argv, random.nextBoolean() ? null : "/dir" + text(10), environment, bytes(300));
      }
      default -> new Work.JavaCall("handler" + text(5), texts());
    };
  }

  private Content content(String name) {
    String hash = HexFormat.of().toHexDigits(random.nextLong()).repeat(4);
    return new Content(hash, number(Limits.BLOB_BYTES), name);
  }

  private List<String> texts() {
    return Stream.generate(() -> text(20)).limit(random.nextInt(4)).toList();
  }

  private String text(int maxLetters) {
    int[] letters = LETTERS.codePoints().toArray();
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(maxLetters + 1); i > 0; i--) {
      text.appendCodePoint(letters[random.nextInt(letters.length)]);
    }
    return text.toString();
  }

  private String id(int ordinal) {
    return random.nextBoolean() ? Integer.toString(ordinal + 1) : "id " + text(30);
  }

  private byte[] bytes(int max) {
    byte[] bytes = new byte[random.nextBoolean() ? 0 : random.nextInt(max)];
    random.nextBytes(bytes);
    return bytes;
  }

  private int firstOrdinal() {
    return random.nextInt(1 << random.nextInt(1, 31));
  }

  private int gap() {
    return random.nextInt(5) == 0 ? random.nextInt(1000) : 0;
  }

  /** Of any magnitude up to the bound. */
  private long number(long bound) {
    return random.nextLong(bound) >>> random.nextInt(40);
  }

  private <T> T rarely(Supplier<T> value, T otherwise) {
    return random.nextInt(4) == 0 ? value.get() : otherwise;
  }

  private <E> E pick(E[] values) {
    return values[random.nextInt(values.length)];
  }
}
