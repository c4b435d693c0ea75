package io.cloudkon.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cloudkon.client.api.Session;
import io.cloudkon.client.api.SessionConfig;
import io.cloudkon.client.api.SessionResult;
import io.cloudkon.client.api.SessionTask;
import io.cloudkon.core.error.CloudKonException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * A program that submits one task after the other to a session, and in between makes the bare calls
 * of such a task once the session is idle: {@code SessionLoop QUEUE FOLDER ROUNDS}. Prints medians
 * in milliseconds: from submission to result; of the bare calls until the result plus a sync of a
 * small append; of that sync alone; and in a second line, of a task's stages.
 */
public final class SessionLoop {
  private static final int BYTES = 200;
  private static final int WARM_UP = 5_000;
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The boundaries of the stages. */
  private static final List<String> STAMPS =
      List.of(
          "submitted",
          "sendBegun",
          "sent",
          "received",
          "claimBegun",
          "claimed",
          "started",
          "finished",
          "replyBegun",
          "collected");

  private SessionLoop() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    int rounds = Integer.parseInt(args[2]);
    double[] ours = new double[rounds];
    double[] bare = new double[rounds];
    double[] sync = new double[rounds];
    Map<String, double[]> stages = new LinkedHashMap<>();
    byte[] payload = new byte[BYTES];
    Path folder = Path.of(args[1]);
    try (Session session =
            Session.connect(SessionConfig.cluster(args[0]).folder(folder.resolve("run")));
        RawCalls raw = new RawCalls(args[0]);
        FileOutputStream file = new FileOutputStream(folder.resolve("appended").toFile())) {
      // a warm-up, as in a session that has been busy for a while
      session
          .submit(Collections.nCopies(WARM_UP, SessionTask.noop()))
          .forEach(CompletableFuture::join);
      for (int i = -rounds; i < rounds; i++) {
        int at = Math.max(0, i); // the first half only warms up
        long begun = System.nanoTime();
        SessionResult result = session.submit(SessionTask.noop()).join();
        ours[at] = (System.nanoTime() - begun) / 1e6;
        if (!result.succeeded()) {
          throw new CloudKonException(result.toString());
        }
        note(stages, at, rounds, ours[at], result);
        raw.awaitIdle(); // as our task found it
        RawCalls.LonelyCalls taken = new RawCalls.LonelyCalls();
        begun = System.nanoTime();
        raw.untilResult(payload, payload, taken);
        long called = System.nanoTime();
        file.write(payload);
        file.getFD().sync();
        sync[at] = (System.nanoTime() - called) / 1e6;
        bare[at] = (System.nanoTime() - begun) / 1e6;
        raw.afterResult(taken);
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%.3f %.3f %.3f%n",
        LonelyLoop.median(ours),
        LonelyLoop.median(bare),
        LonelyLoop.median(sync));
    System.out.println(
        stages.entrySet().stream()
            .map(stage ->
                String.format(
                    Locale.ROOT, "%s %.2f", stage.getKey(), LonelyLoop.median(stage.getValue())))
            .collect(Collectors.joining(", ")));
  }

  private static void note(
      Map<String, double[]> stages, int at, int rounds, double all, SessionResult result)
      throws JsonProcessingException {
    JsonNode stamps = JSON.readTree(result.json()).get("stamps");
    long first = stamps.get(STAMPS.getFirst()).asLong();
    long before = first;
    for (String stamp : STAMPS.subList(1, STAMPS.size())) {
      long now = stamps.get(stamp).asLong();
      stages.computeIfAbsent("to " + stamp, key -> new double[rounds])[at] = (now - before) / 1e3;
      before = now;
    }
    // the spool and sync before, and the handover after
    stages.computeIfAbsent("before and after", key -> new double[rounds])[at] =
        all - (before - first) / 1e3;
  }
}
