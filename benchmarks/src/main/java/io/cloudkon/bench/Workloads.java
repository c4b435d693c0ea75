package io.cloudkon.bench;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;

/** Creates workload files. */
final class Workloads {
  private Workloads() {}

  /** Writes this number of lines, numbered from 1. */
  static Path lines(Setting setting, String name, int count, IntFunction<String> line)
      throws IOException {
    Path file = setting.scratch().resolve(name);
    try (BufferedWriter writer = Files.newBufferedWriter(file)) {
      for (int i = 1; i <= count; i++) {
        writer.write(line.apply(i));
        writer.write('\n');
      }
    }
    return file;
  }

  /** Writes these lines. */
  static Path of(Setting setting, String name, List<String> lines) throws IOException {
    return Files.write(setting.scratch().resolve(name), lines);
  }

  /** Many short lines and a few long ones: shuffled by a seed, or the long ones last. */
  static List<String> mixed(String brief, int many, String lengthy, int few, boolean shuffled) {
    List<String> lines = new ArrayList<>(Collections.nCopies(many, brief));
    lines.addAll(Collections.nCopies(few, lengthy));
    if (shuffled) {
      Collections.shuffle(lines, new Random(2017));
    }
    return lines;
  }
}
