package io.cloudkon.examples.ship;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The words of a folder's files, counted another way than the example does. */
final class Words {
  private static final Pattern WORD = Pattern.compile("[A-Za-z]+");

  private Words() {}

  /** Lines {@code COUNT WORD}, the most frequent first, then by the alphabet. */
  static List<String> in(Path folder) throws IOException {
    Map<String, Integer> counts = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        WORD.matcher(Files.readString(file, ISO_8859_1))
            .results()
            .forEach(word -> counts.merge(word.group().toLowerCase(Locale.ROOT), 1, Integer::sum));
      }
    }
    return counts.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .map(entry -> entry.getValue() + " " + entry.getKey())
        .toList();
  }
}
