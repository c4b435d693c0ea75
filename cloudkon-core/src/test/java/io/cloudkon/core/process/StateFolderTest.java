package io.cloudkon.core.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFolderTest {
  private static final Instant WEEK_AGO = Instant.parse("2026-01-08T00:00:00Z");

  @TempDir Path base;

  private Path file(Path folder, String name, Instant modified) throws IOException {
    Path file = Files.writeString(Files.createDirectories(folder).resolve(name), "x");
    return Files.setLastModifiedTime(file, FileTime.from(modified));
  }

  @Test
  void state_folder_is_the_clusters_own() {
    Path all = StateFolder.base(Map.of("XDG_STATE_HOME", "/state"));

    Path one = StateFolder.of(all, "Q", "http://here/1/Q");

    assertThat(one.toString()).matches("/state/cloudkon/Q-[0-9a-f]{8}");
    assertThat(StateFolder.of(all, "Q", "http://here/2/Q")).isNotEqualTo(one);
    assertThat(StateFolder.of(all, "Q", "http://here/1/Q")).isEqualTo(one);
    assertThat(StateFolder.base(Map.of()).toString())
        .isEqualTo(System.getProperty("user.home") + "/.local/state/cloudkon");
  }

  @Test
  void folder_of_one_cluster_is_removed_with_its_logs_and_another_ones_stays() throws IOException {
    Path one = StateFolder.of(base, "Q", "1");
    Path other = StateFolder.of(base, "Q", "2");
    for (Path state : new Path[] {one, other}) {
      Path unused = file(state, "Q-1-0a.launch", WEEK_AGO);
      unused = file(StateFolder.logs(state), "Q-1-0a.1.log", WEEK_AGO);
    }

    assertThat(StateFolder.remove(one)).isTrue();

    assertThat(one).doesNotExist();
    assertThat(StateFolder.logs(other).resolve("Q-1-0a.1.log")).exists();
    assertThat(StateFolder.remove(one)).isFalse();
  }

  @Test
  void what_lies_in_folders_that_are_not_ours_stays() throws IOException {
    Path state = StateFolder.of(base, "Q", "1");
    Path mine = file(state.resolve("mine"), "notes", WEEK_AGO);

    assertThat(StateFolder.remove(state)).isTrue();

    assertThat(mine).exists();
  }

  @Test
  void logs_that_nobody_has_written_to_for_long_are_removed_and_launches_stay() throws IOException {
    Path state = StateFolder.of(base, "Q", "1");
    Path old = file(StateFolder.logs(state), "Q-1-0a.1.log", WEEK_AGO.minusSeconds(1));
    Path young = file(StateFolder.logs(state), "Q-2-0b.1.log", WEEK_AGO);
    Path note = file(StateFolder.logs(state), "note.txt", WEEK_AGO.minusSeconds(1));
    Path launch = file(state, "Q-1-0a.launch", WEEK_AGO.minusSeconds(1));

    assertThat(StateFolder.removeLogs(state, WEEK_AGO)).isEqualTo(1);

    assertThat(old).doesNotExist();
    assertThat(young).exists();
    assertThat(note).exists();
    assertThat(launch).exists();
    assertThat(StateFolder.removeLogs(base.resolve("none"), WEEK_AGO)).isZero();
  }
}
