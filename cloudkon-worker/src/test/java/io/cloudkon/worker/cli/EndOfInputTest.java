package io.cloudkon.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EndOfInputTest {

  @Test
  void what_is_said_is_ignored_and_the_end_is_heard() throws Exception {
    PipedOutputStream held = new PipedOutputStream();
    PipedInputStream input = new PipedInputStream(held);
    CompletableFuture<Void> ended = CompletableFuture.runAsync(() -> EndOfInput.awaitEnd(input));
    held.write(new byte[200]);
    held.flush();
    assertThat(ended).isNotDone();

    held.close();

    ended.get(20, TimeUnit.SECONDS);
  }

  @Test
  void input_that_breaks_is_as_good_as_its_end() throws IOException {
    PipedInputStream broken = new PipedInputStream();
    broken.close();

    EndOfInput.awaitEnd(broken);

    assertThat(broken.available()).isZero();
  }
}
