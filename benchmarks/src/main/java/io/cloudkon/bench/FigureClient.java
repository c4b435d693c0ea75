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
 * tabs: a client command, or {@code raw} and the words of a {@link RawLoad} for bare SDK calls.
 * After each command it prints {@code ENDED} and the exit code, or the seconds that the bare calls
 * took.
 */
public final class FigureClient {
  static final String ENDED = "ENDED ";
  static final String RAW = "raw";

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
                ? String.format(Locale.ROOT, "%.3f", raw.warmRun(load(words)))
                : Integer.toString(ClientMain.run(words.toArray(String[]::new)));
        System.out.printf(Locale.ROOT, "%n%s%s%n", ENDED, outcome);
      }
    }
  }

  private static RawLoad load(List<String> words) {
    return RawLoad.of(words.subList(1, words.size()));
  }
}
