package io.cloudkon.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.session.ResumeCommand;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClientRunTest {
  @Test
  void what_was_sent_is_told_of_one_task_as_of_many() {
    RunFolder folder = RunFolder.choose("later-1", Optional.empty(), false);
    ResumeCommand way = new ResumeCommand("Q", "later-1", folder, "tasks.txt", false);

    assertThat(ClientRun.collect(1, way))
        .isEqualTo("1 task sent; collect it with: cloudkon client -s Q --resume later-1");
    assertThat(ClientRun.collect(2_000, way))
        .isEqualTo("2,000 tasks sent; collect them with: cloudkon client -s Q --resume later-1");
  }
}
