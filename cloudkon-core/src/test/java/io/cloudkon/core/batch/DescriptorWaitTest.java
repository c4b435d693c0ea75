package io.cloudkon.core.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.FileSystemException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DescriptorWaitTest {
  private final AtomicInteger calls = new AtomicInteger();

  /** Fails so often, as a system without a free descriptor does. */
  private String opened(int failures) throws IOException {
    if (calls.getAndIncrement() < failures) {
      throw new FileSystemException("a", null, "Too many open files");
    }
    return "opened";
  }

  @Test
  void call_is_repeated_until_there_is_a_descriptor() throws Exception {
    assertThat(new DescriptorWait(3, 0).call(() -> opened(3))).isEqualTo("opened");
    assertThat(calls).hasValue(4);
  }

  @Test
  void call_is_not_repeated_for_ever() {
    assertThatThrownBy(() -> new DescriptorWait(3, 0).call(() -> opened(4)))
        .isInstanceOf(FileSystemException.class);
    assertThat(calls).hasValue(4);
  }

  @Test
  void other_failure_is_told_at_once() {
    assertThatThrownBy(() ->
            new DescriptorWait(3, 0)
                .call(() -> {
                  calls.incrementAndGet();
                  throw new FileNotFoundException("a (No such file or directory)");
                }))
        .isInstanceOf(FileNotFoundException.class);
    assertThat(calls).hasValue(1);
  }

  @Test
  void interrupt_ends_the_wait() {
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> new DescriptorWait(3, 600_000).call(() -> opened(4)))
          .isInstanceOf(InterruptedIOException.class)
          .hasRootCauseInstanceOf(FileSystemException.class);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }
}
