package io.cloudkon.bench.rivals;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Writes the results of a sitting: every measurement as JSON, the tables as Markdown. */
final class ResultFiles {
  static final String NAME = "rivals";

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private ResultFiles() {}

  /** Writes {@code rivals.json} and {@code rivals.md} into the folder. */
  static void write(Path folder, Sitting.Outcome outcome, String markdown) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve(NAME + ".json"), json(outcome));
    Files.writeString(folder.resolve(NAME + ".md"), markdown);
  }

  static String json(Sitting.Outcome outcome) throws IOException {
    ObjectNode root = JSON.createObjectNode();
    root.put("processors", Runtime.getRuntime().availableProcessors());
    root.put("slots", Exercise.SLOTS);
    root.put("rounds", outcome.rounds());
    ArrayNode systems = root.putArray("systems");
    ArrayNode measurements = root.putArray("measurements");
    for (Competitor competitor : outcome.competitors()) {
      if (outcome.figures().has(competitor)) {
        systems
            .addObject()
            .put("system", competitor.label())
            .put("role", competitor.role().name().toLowerCase(Locale.ROOT))
            .put("version", outcome.figures().version(competitor))
            .put("durable", competitor.durable())
            .put("standing", competitor.standing())
            .put("remark", competitor.remark());
      }
      for (Exercise exercise : outcome.exercises()) {
        for (Measurement measured : outcome.figures().of(competitor, exercise)) {
          measurements
              .addObject()
              .put("system", competitor.label())
              .put("work", exercise.name())
              .put("tasks", measured.tasks())
              .put("ownSeconds", measured.ownSeconds())
              .put("wholeSeconds", measured.wholeSeconds());
        }
      }
    }
    ObjectNode leftOut = root.putObject("leftOut");
    outcome.leftOut().forEach((competitor, why) -> leftOut.put(competitor.label(), why));
    return JSON.writeValueAsString(root) + "\n";
  }
}
