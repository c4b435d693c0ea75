package io.cloudkon.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** More connections at once than may wait to be accepted. */
@EnabledOnOs(OS.LINUX) // elsewhere a connection waits for its turn, or is refused otherwise
class S3ServiceTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  @TempDir Path folder;

  private final List<SocketChannel> waiting = new ArrayList<>();
  private ServerSocketChannel server;

  /** Makes as many connections as may wait; relays connect in virtual threads, as here. */
  @BeforeEach
  void fill() throws IOException {
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket()), 2);
    Throwable full =
        elsewhere(() ->
                catchThrowable(() -> {
                  while (true) {
                    waiting.add(SocketChannel.open(UnixDomainSocketAddress.of(socket())));
                  }
                }))
            .join();
    assertThat(full).isInstanceOf(IOException.class);
  }

  @AfterEach
  void close() throws IOException {
    for (SocketChannel channel : waiting) {
      channel.close();
    }
    server.close();
  }

  private Path socket() {
    return folder.resolve("s3.sock");
  }

  private static <T> CompletableFuture<T> elsewhere(Supplier<T> call) {
    return CompletableFuture.supplyAsync(call, Thread::startVirtualThread)
        .orTimeout(2, TimeUnit.MINUTES);
  }

  @Test
  void connection_that_finds_all_places_taken_is_made_once_there_is_one() throws Exception {
    CompletableFuture<SocketChannel> late =
        elsewhere(() -> S3Service.connect(socket(), () -> true, LONG));
    for (int i = 0; i < waiting.size(); i++) {
      server.accept().close();
    }
    try (SocketChannel connected = late.join()) {
      assertThat(connected.isConnected()).isTrue();
    }
  }

  @Test
  void client_is_told_if_there_is_no_place_in_time_or_the_process_has_ended() {
    assertThat(refusal(true, Duration.ZERO))
        .isInstanceOf(LocalException.class)
        .hasMessageStartingWith("S3 takes no connection (");
    assertThat(refusal(false, LONG)).isInstanceOf(LocalException.class);
  }

  private Throwable refusal(boolean alive, Duration limit) {
    return elsewhere(() -> catchThrowable(() -> S3Service.connect(socket(), () -> alive, limit)))
        .join();
  }
}
