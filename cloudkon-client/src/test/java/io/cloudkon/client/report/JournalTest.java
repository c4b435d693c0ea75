package io.cloudkon.client.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.client.report.JournalEntry.BundleRange;
import io.cloudkon.client.report.JournalEntry.Confirmed;
import io.cloudkon.client.report.JournalEntry.Ended;
import io.cloudkon.client.report.JournalEntry.ProvisionallyLost;
import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.client.report.JournalEntry.Stored;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.CollectRule;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Content;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
  private static final List<JournalEntry> ENTRIES =
      List.of(
          new RunHeader(
              "r",
              "e",
              Consistency.AT_MOST_ONCE,
              ClaimScope.BUNDLE,
              "c1",
              "jobs",
              "",
              "my tasks/100 % Größe\n.txt",
              -1,
              65_536,
              0,
              3,
              List.of(
                  new Content("ab".repeat(32), 7, "my program"),
                  new Content("cd".repeat(32), 5_000_000_000L, "data%"))),
          new BundleRange(0, 0, 100, 0, 1, Samples.T0),
          new BundleRange(1, 100, 37, 5_000_000_000L, 131, Samples.T0),
          new BundleRange(2, 137, 1, 5_000_000_999L, 170, Samples.T0, 16),
          new Confirmed(List.of(0, 1, 2, 5, 7, 8), Samples.T0 + 5, Samples.T0 + 9),
          new Confirmed(List.of(), 1, 2),
          new Stored(),
          new JournalEntry.Moved("Q-response-c-1"),
          new ProvisionallyLost(List.of(99)),
          new Ended(),
          new RunHeader(
              "r",
              "e",
              Consistency.EXACTLY_ONCE,
              ClaimScope.BUNDLE,
              "c1",
              "jobs",
              "",
              "tasks",
              1,
              65_536,
              0,
              3,
              List.of(new Content("ab".repeat(32), 7, "collect")),
              new CollectRule(List.of("out/* x", "a%"), true, 1L << 32, 7)));

  @TempDir Path folder;

  private Path path() {
    return folder.resolve("journal");
  }

  private List<JournalEntry> read() {
    List<JournalEntry> entries = new ArrayList<>();
    JournalReader.read(path(), entries::add);
    return entries;
  }

  private void write() {
    try (JournalFile journal = JournalFile.create(path())) {
      journal.append(ENTRIES);
    }
  }

  @Test
  void entries_are_read_back_in_order() {
    write();

    assertThat(read()).isEqualTo(ENTRIES);
  }

  @Test
  void lines_can_be_read_by_a_person() throws IOException {
    write();

    List<String> lines = Files.readAllLines(path());
    assertThat(lines.get(0))
        .startsWith("run 3 r e AT_MOST_ONCE BUNDLE c1 jobs  my+tasks%2F100+%25+Gr");
    assertThat(lines.get(1)).startsWith("bundle 0 0 100 0 1 1800000000000000 ");
    assertThat(lines.get(3)).startsWith("job 2 137 1 5000000999 170 1800000000000000 16 ");
    assertThat(lines.get(4)).startsWith("confirmed 1800000000000005 1800000000000009 0-2 5 7-8 ");
  }

  @Test
  void job_of_an_older_journal_which_says_nothing_of_ranks_is_a_job_all_the_same() {
    String fields = "job 2 137 1 5000000999 170 1800000000000000";
    CRC32C crc = new CRC32C();
    crc.update(fields.getBytes(StandardCharsets.UTF_8));

    assertThat(JournalLine.decode("%s %08x".formatted(fields, crc.getValue())))
        .contains(new BundleRange(2, 137, 1, 5_000_000_999L, 170, Samples.T0, 1));
  }

  @Test
  void appended_entries_are_on_disk_before_it_is_closed() {
    try (JournalFile journal = JournalFile.create(path())) {
      journal.note(ENTRIES.get(0));
      journal.append(ENTRIES.subList(1, 3));

      assertThat(read()).isEqualTo(ENTRIES.subList(0, 3));
    }
  }

  @Test
  void a_journal_cut_anywhere_is_read_up_to_its_last_whole_line_and_can_go_on() throws IOException {
    write();
    byte[] whole = Files.readAllBytes(path());
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      Files.write(path(), cut);
      int lines = 0;
      for (byte b : cut) {
        lines += b == '\n' ? 1 : 0;
      }
      assertThat(read()).as("cut at %d", length).isEqualTo(ENTRIES.subList(0, lines));

      try (JournalFile journal = JournalFile.append(path())) {
        journal.append(List.of(new Ended()));
      }
      assertThat(read()).hasSize(lines + 1).last().isEqualTo(new Ended());
    }
  }

  @Test
  void a_tail_of_zeros_is_cut_off() throws IOException {
    write();
    Files.write(path(), new byte[5_000], java.nio.file.StandardOpenOption.APPEND);

    assertThat(read()).isEqualTo(ENTRIES);
    JournalFile.append(path()).close();
    assertThat(Files.readString(path())).endsWith("\n").doesNotContain("\0");
  }

  @Test
  void header_is_found_behind_word_of_what_was_stored_before_it() throws IOException {
    try (JournalFile journal = JournalFile.create(path())) {
      journal.append(List.of(new Stored(), new Stored(), ENTRIES.getFirst()));
    }

    assertThat(JournalReader.header(path()).map(JournalEntry.class::cast))
        .hasValue(ENTRIES.getFirst());
    byte[] whole = Files.readAllBytes(path());
    Files.write(path(), Arrays.copyOf(whole, whole.length - 1));
    assertThat(JournalReader.header(path())).as("a line without its end").isEmpty();
  }

  @Test
  void header_stands_nowhere_else() {
    try (JournalFile journal = JournalFile.create(path())) {
      journal.append(List.of(new Ended(), ENTRIES.getFirst()));
    }

    assertThat(JournalReader.header(path())).isEmpty();
  }

  @Test
  void journal_that_was_read_back_is_still_this_process_own() throws Exception {
    write();
    try (JournalFile journal = JournalFile.append(path())) {
      List<JournalEntry> entries = new ArrayList<>();
      journal.read(entries::add);
      assertThat(entries).isEqualTo(ENTRIES);
      journal.append(List.of(new Ended()));

      assertThat(openedElsewhere()).contains("is being written by another client process");
    }
    assertThat(openedElsewhere()).isEqualTo("opened");
    assertThat(read()).hasSize(ENTRIES.size() + 1);
  }

  @Test
  void journal_that_is_open_is_not_opened_again_in_its_own_process() throws Exception {
    try (JournalFile journal = JournalFile.create(path())) {
      journal.append(ENTRIES);
      assertThatThrownBy(() -> JournalFile.append(path()))
          .hasMessageContaining("is being written by another client process");
      assertThatThrownBy(() -> JournalFile.create(path()))
          .hasMessageContaining("is being written by another client process");

      assertThat(openedElsewhere()).contains("is being written by another client process");
    }
    assertThat(read()).isEqualTo(ENTRIES);
  }

  /** What a process of its own says that opens the journal. */
  private String openedElsewhere() throws Exception {
    return OtherProcess.says(OpensJournal.class, path());
  }

  /** Another client process. */
  static final class OpensJournal {
    private OpensJournal() {}

    public static void main(String[] args) {
      try (JournalFile opened = JournalFile.append(Path.of(args[0]))) {
        System.out.println("opened");
      } catch (CloudKonException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  @Test
  void a_damaged_line_before_whole_ones_is_refused() throws IOException {
    write();
    Files.writeString(path(), Files.readString(path()).replace("bundle 0 0 100", "bundle 0 0 101"));

    assertThatThrownBy(this::read)
        .isInstanceOf(CloudKonException.class)
        .hasMessageContaining("line 2 is damaged");
  }

  @Test
  void another_versions_journal_has_no_entries_before_its_end() {
    assertThat(JournalLine.decode("run 1 r e AT_MOST_ONCE c q d f 00000000")).isEmpty();
    assertThat(JournalLine.decode("")).isEmpty();
    assertThat(JournalLine.decode("ended")).isEmpty();
  }

  @Test
  void a_missing_journal_is_named() {
    assertThatThrownBy(this::read)
        .isInstanceOf(CloudKonException.class)
        .hasMessageContaining("cannot read")
        .hasMessageContaining("journal");
  }
}
