package io.cloudkon.bench;

import io.cloudkon.client.cli.ClientMain;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;

/**
 * A client process that runs one command after the other, so that a figure's runs begin warm:
 * {@code FigureClient QUEUE}. Each line of standard input is a command, with its words separated by
 * tabs: a client command, or {@code raw BUNDLES BYTES CALLERS WRITES} for bare SDK calls. After
 * each command it prints {@code ENDED} and the exit code, or the seconds that the bare calls took.
 */
public final class FigureClient {
  static final String ENDED = "ENDED ";
  static final String RAW = "raw";
  private static final int WARM_UP = 10;

  private FigureClient() {}

  public static void main(String[] args)
      throws IOException, InterruptedException, ExecutionException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (RawCalls raw = new RawCalls(args[0])) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        List<String> words = List.of(line.split("\t", -1));
        String outcome =
            words.getFirst().equals(RAW)
                ? String.format(Locale.ROOT, "%.3f", raw(raw, words))
                : Integer.toString(ClientMain.run(words.toArray(String[]::new)));
        System.out.printf(Locale.ROOT, "%n%s%s%n", ENDED, outcome);
      }
    }
  }

  private static double raw(RawCalls raw, List<String> words)
      throws InterruptedException, ExecutionException {
    int bundles = Integer.parseInt(words.get(1));
    byte[] payload = new byte[Integer.parseInt(words.get(2))];
    int callers = Integer.parseInt(words.get(3));
    raw.writes(Integer.parseInt(words.get(4)));
    double unused = raw.run(Math.min(bundles, WARM_UP * callers), callers, payload, payload);
    return raw.run(bundles, callers, payload, payload);
  }
}
