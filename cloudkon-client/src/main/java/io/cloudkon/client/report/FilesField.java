package io.cloudkon.client.report;

import static io.cloudkon.client.report.JsonBytes.ascii;

import io.cloudkon.core.model.CollectedFiles;
import java.util.function.Supplier;

/** The field of a line of {@code results.jsonl} about the files that its task brought back. */
final class FilesField {
  private static final byte[] FILES = ascii(",\"files\":{\"count\":");
  private static final byte[] BYTES = ascii(",\"bytes\":");
  private static final byte[] FOLDER = ascii(",\"folder\":");
  private static final byte[] NAMES = ascii(",\"names\":[");
  private static final byte[] LEFT_OUT_COUNT = ascii(",\"leftOutCount\":");
  private static final byte[] LEFT_OUT = ascii(",\"leftOut\":[");
  private static final byte[] DISCARDED_COUNT = ascii(",\"discardedCount\":");
  private static final byte[] DISCARDED = ascii(",\"discarded\":[");
  private static final byte[] NOTHING = ascii("");
  private static final byte[] NEXT = ascii(",");
  private static final byte[] NAME = ascii("{\"name\":");
  private static final byte[] NEXT_NAME = ascii(",{\"name\":");
  private static final byte[] WHY = ascii(",\"why\":");
  private static final byte[] ERROR = ascii(",\"error\":");
  private static final byte[] END = ascii("}");
  private static final byte[] LIST_END = ascii("]");

  private FilesField() {}

  /**
   * Appends the field.
   *
   * @param folder the path of the task's files, relative to the run's folder
   */
  static void write(JsonBytes json, Supplier<String> folder, CollectedFiles files) {
    json.raw(FILES).number(files.count());
    json.raw(BYTES).number(files.bytes());
    if (!files.names().isEmpty()) {
      json.raw(FOLDER).string(folder.get());
      byte[] before = NAME;
      json.raw(NAMES);
      for (CollectedFiles.Named file : files.names()) {
        json.raw(before).string(file.name());
        json.raw(BYTES).number(file.bytes());
        json.raw(END);
        before = NEXT_NAME;
      }
      json.raw(LIST_END);
    }
    if (files.discarded().count() > 0) {
      discarded(json, files.discarded());
    }
    if (files.leftOutCount() > 0) {
      json.raw(LEFT_OUT_COUNT).number(files.leftOutCount());
      byte[] before = NAME;
      json.raw(LEFT_OUT);
      for (CollectedFiles.LeftOut file : files.leftOut()) {
        json.raw(before).string(file.name());
        json.raw(WHY).string(file.why());
        json.raw(END);
        before = NEXT_NAME;
      }
      json.raw(LIST_END);
    }
    if (!files.error().isEmpty()) {
      json.raw(ERROR).string(files.error());
    }
    json.raw(END);
  }

  private static void discarded(JsonBytes json, CollectedFiles.Discarded discarded) {
    json.raw(DISCARDED_COUNT).number(discarded.count());
    json.raw(DISCARDED);
    for (int i = 0; i < discarded.names().size(); i++) {
      json.raw(i == 0 ? NOTHING : NEXT).string(discarded.names().get(i));
    }
    json.raw(LIST_END);
  }
}
