package io.cloudkon.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import io.cloudkon.core.error.CloudKonException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.BitSet;
import java.util.HexFormat;

/** The {@code sha256} workload and the check of its results. */
final class Answers {
  /** The approximate size of a task in a bundle, in bytes. */
  static final int LINE_BYTES = 25;

  /** The approximate size of a result in its message, in bytes. */
  static final int RESULT_BYTES = 80;

  private static final int STAMPS = 13;

  private Answers() {}

  /** The n-th line. */
  static String line(int n) {
    return "java sha256 " + argument(n);
  }

  private static String argument(int n) {
    return "task-" + n;
  }

  /** Checks that each task occurs once, with the right digest and all its stamps in order. */
  static void check(Path results, int tasks) throws IOException {
    ObjectReader json = new ObjectMapper().reader();
    MessageDigest sha256 = sha256();
    BitSet seen = new BitSet(tasks);
    try (BufferedReader lines = Files.newBufferedReader(results)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        JsonNode result = json.readTree(line);
        int n = result.path("task").asInt();
        String right = HexFormat.of().formatHex(sha256.digest(argument(n).getBytes(UTF_8)));
        boolean good =
            n >= 1
                && n <= tasks
                && !seen.get(n)
                && result.path("output").asText().equals(right)
                && inOrder(result.path("stamps"));
        if (!good) {
          throw new CloudKonException("%s: a wrong line: %s".formatted(results, line));
        }
        seen.set(n);
      }
    }
    if (seen.cardinality() != tasks) {
      throw new CloudKonException(
          "%s: %d results, expected %d".formatted(results, seen.cardinality(), tasks));
    }
  }

  private static boolean inOrder(JsonNode stamps) {
    if (stamps.size() != STAMPS) {
      return false;
    }
    long submitted = stamps.path("submitted").asLong();
    long started = stamps.path("started").asLong();
    long finished = stamps.path("finished").asLong();
    long collected = stamps.path("collected").asLong();
    return 0 < submitted && submitted <= started && started <= finished && finished <= collected;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
