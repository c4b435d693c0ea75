package io.cloudkon.client.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.cloudkon.core.cli.Version;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.LocalFileException;
import io.cloudkon.core.port.RunLabel;
import io.cloudkon.core.process.Launcher;
import io.cloudkon.core.process.ShellWord;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The options that a run was submitted with: {@code cloudkon.json} in its folder. Immutable.
 *
 * @param directory the directory to which the paths of its tasks' files are relative: where its
 *     client was started, or that of the first run if it is a rerun
 * @param workload the name of the file in the same folder that holds the tasks of this run or a
 *     former one, and is no file of the user's; empty if there is none
 * @param options the values of each option that was given, by its longest name
 */
public record KeptOptions(
    Path directory, Optional<String> workload, Map<String, List<String>> options) {
  static final String FILE = "cloudkon.json";

  /** For writing: a run only writes, and a mapper takes 20 ms to create. */
  private static final JsonFactory JSON = new JsonFactory();

  /** Created when a file is first read. */
  private static final class Reading {
    static final JsonMapper MAPPER = new JsonMapper();
  }

  /** The directory of this process. */
  public static Path here() {
    return Path.of("").toAbsolutePath();
  }

  /** The name of the file in a folder that is recorded as the tasks of a run. */
  static Optional<String> workloadIn(Path folder) {
    return ifReadable(folder).flatMap(KeptOptions::workload);
  }

  /** The options in a folder; empty if there are none that can be read. */
  static Optional<KeptOptions> ifReadable(Path folder) {
    try {
      return in(folder);
    } catch (CloudKonException e) {
      return Optional.empty();
    }
  }

  /** The file to write. */
  public KeptFile file() {
    return new KeptFile(FILE, this::writeWhole);
  }

  /** Writes it whole or not at all: a folder with half of it would not be known for a run's. */
  private void writeWhole(Path file) throws IOException {
    Path half = file.resolveSibling(FILE + ".tmp");
    try {
      writeTo(half);
      Files.move(half, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      Files.deleteIfExists(half);
      throw e;
    }
  }

  private void writeTo(Path file) throws IOException {
    try (FileOutputStream out = new FileOutputStream(file.toFile());
        JsonGenerator json = JSON.createGenerator(out).useDefaultPrettyPrinter()) {
      json.writeStartObject();
      json.writeStringField("version", Version.number());
      json.writeStringField("directory", directory.toString());
      if (workload.isPresent()) {
        json.writeStringField("workload", workload.get());
      }
      json.writeObjectFieldStart("options");
      for (Map.Entry<String, List<String>> option : options.entrySet()) {
        json.writeFieldName(option.getKey());
        json.writeArray(option.getValue().toArray(String[]::new), 0, option.getValue().size());
      }
      json.writeEndObject();
      json.writeEndObject();
      json.writeRaw('\n');
      json.flush();
      out.getFD().sync();
    }
  }

  /** Whether a folder holds the options of its run. */
  static boolean isIn(Path folder) {
    return Files.isRegularFile(folder.resolve(FILE));
  }

  /**
   * The command that runs the tasks of the run in a folder again; empty if it would be refused
   * because they are in no file. It names the first run if this is a rerun's folder.
   */
  public static Optional<String> rerun(Path folder) {
    if (!isIn(folder) || RunFolder.headerIn(folder).filter(SentWorkload::isInFile).isEmpty()) {
      return Optional.empty();
    }
    Path first = first(folder).orElse(folder);
    return Optional.of(Launcher.name() + " rerun " + ShellWord.of(first.toString()));
  }

  /**
   * The command that shows the last result of each task of a run, if a folder is that of a rerun of
   * it; otherwise empty.
   */
  static Optional<String> latest(Path folder) {
    return first(folder)
        .map(first ->
            "%s results %s --latest".formatted(Launcher.name(), ShellWord.of(first.toString())));
  }

  /** The folder of the first run; empty if a folder is not that of a rerun. */
  private static Optional<Path> first(Path folder) {
    return Files.exists(folder.resolve(RunFolder.RERUN))
        ? Optional.ofNullable(folder.getParent())
        : Optional.empty();
  }

  /**
   * The options of the run in a folder; empty if there is no such file.
   *
   * @throws CloudKonException if the file is damaged, or cannot be read
   */
  public static Optional<KeptOptions> in(Path folder) {
    Path file = folder.resolve(FILE);
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    try {
      JsonNode json = Reading.MAPPER.readTree(Files.readAllBytes(file));
      if (!json.path("directory").isTextual() || !json.path("options").isObject()) {
        throw damaged(file, "expected an object with directory and options");
      }
      Map<String, List<String>> options = new LinkedHashMap<>();
      for (Map.Entry<String, JsonNode> option : json.path("options").properties()) {
        if (!option.getValue().isArray()) {
          throw damaged(file, "expected an array of values of " + option.getKey());
        }
        List<String> values = new ArrayList<>();
        option.getValue().forEach(value -> values.add(value.asText()));
        options.put(option.getKey(), values);
      }
      Optional<String> workload =
          Optional.of(json.path("workload").asText()).filter(KeptWorkload.NAMES::contains);
      return Optional.of(
          new KeptOptions(Path.of(json.path("directory").asText()), workload, options));
    } catch (JsonProcessingException e) {
      throw new LocalFileException("%s is damaged: %s".formatted(file, e.getOriginalMessage()), e);
    } catch (IOException e) {
      throw AppendFile.failed(file, "read", e);
    }
  }

  /**
   * The name and tags of the run in a folder; empty if its options are missing or unreadable.
   *
   * @see #in
   */
  public static Optional<RunLabel> labelIn(Path folder) {
    try {
      return in(folder).map(KeptOptions::label);
    } catch (CloudKonException e) {
      return Optional.empty();
    }
  }

  private RunLabel label() {
    List<String> names = options.getOrDefault("--name", List.of());
    return new RunLabel(
        names.isEmpty() ? "" : names.getLast(),
        RunTags.parse(options.getOrDefault("--tag", List.of())));
  }

  /**
   * The time at which the run in a folder was submitted.
   *
   * @throws IOException if that cannot be read
   */
  public static FileTime writtenAt(Path folder) throws IOException {
    return Files.getLastModifiedTime(folder.resolve(FILE));
  }

  private static CloudKonException damaged(Path file, String why) {
    return new LocalFileException("%s is damaged: %s; restore it".formatted(file, why));
  }
}
