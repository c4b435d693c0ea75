package io.cloudkon.client.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.client.report.FolderState;
import io.cloudkon.client.report.OtherProcess;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.session.Meters;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.time.SystemTime;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The folder of a session, in its own process and as another one sees it. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class SessionFolderTest {
  @TempDir Path temp;
  private final SystemTime time = new SystemTime();
  private final Cluster cluster = new MemoryCloud(time).setup("Q");

  private Path folder() {
    return temp.resolve("files");
  }

  private Session session() {
    return Session.start(
        new SessionCluster(cluster, Meters.local(time), UnaryOperator.identity(), () -> {}),
        SessionConfig.cluster("Q").folder(folder()));
  }

  @Test
  void looks_of_its_own_process_leave_the_folder_to_the_session() throws Exception {
    try (Session session = session()) {
      assertThat(session.folder()).isPresent();
      assertThatThrownBy(this::session)
          .isInstanceOf(UsageException.class)
          .hasMessageContaining("files exists;");
      assertThat(FolderState.of(folder())).isEqualTo(FolderState.ATTENDED);
      assertThat(RunFolder.headerIn(folder()).orElseThrow().run()).isEqualTo(session.run());
      assertThatThrownBy(() -> RunFolder.choose("other", Optional.of(folder().toString()), true))
          .hasMessageContaining("whose client is running on this machine");

      assertThat(stateElsewhere()).isEqualTo("ATTENDED");
    }
    assertThat(FolderState.of(folder())).isEqualTo(FolderState.ENDED);
    assertThat(RunFolder.headerIn(folder())).isPresent();
    assertThat(stateElsewhere()).isEqualTo("ENDED");
  }

  /** The state of the folder in the eyes of another process. */
  private String stateElsewhere() throws Exception {
    return OtherProcess.says(Looks.class, folder());
  }

  /** Prints the state of a folder. */
  static final class Looks {
    private Looks() {}

    public static void main(String[] args) {
      System.out.println(FolderState.of(Path.of(args[0])));
    }
  }
}
