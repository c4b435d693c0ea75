package io.cloudkon.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.core.handler.TaskHandler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code java append FILE NUMBER MILLIS}: a task that leaves its number in a file when it starts,
 * and then takes its time. Appending is one write, so lines of many processes do not mix.
 */
public final class AppendHandler implements TaskHandler {

  @Override
  public String name() {
    return "append";
  }

  @Override
  public byte[] run(List<String> args) throws IOException, InterruptedException {
    long end = System.nanoTime() + Long.parseLong(args.get(2)) * 1_000_000;
    try (FileChannel file =
        FileChannel.open(
            Path.of(args.get(0)), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      ByteBuffer line = ByteBuffer.wrap((args.get(1) + "\n").getBytes(UTF_8));
      file.write(line);
    }
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
    return new byte[0];
  }
}
