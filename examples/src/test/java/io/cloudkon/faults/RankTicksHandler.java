package io.cloudkon.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.core.handler.Communicator;
import io.cloudkon.core.handler.RankHandler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code java ticks FILE JOB TICKS MILLIS}: a rank that leaves a line in a file so often, with so
 * long between: job, attempt, rank and time in nanoseconds. The attempt is a name that its ranks
 * agree on when they start. One line is one write, so lines of many processes do not mix.
 */
public final class RankTicksHandler implements RankHandler {
  /** A process that was stopped for so long has lost its lease: it may not go on. */
  private static final long FROZEN_NANOS = 1_500_000_000;

  @Override
  public String name() {
    return "ticks";
  }

  @Override
  public byte[] run(Communicator world, List<String> args)
      throws IOException, InterruptedException {
    String attempt =
        new String(world.broadcast(0, UUID.randomUUID().toString().getBytes(UTF_8)), UTF_8);
    int ticks = Integer.parseInt(args.get(2));
    long pause = Long.parseLong(args.get(3)) * 1_000_000;
    try (FileChannel file =
        FileChannel.open(
            Path.of(args.get(0)), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      for (int i = 0; i < ticks; i++) {
        String line =
            "%s %s %d %d000000\n"
                .formatted(args.get(1), attempt, world.rank(), System.currentTimeMillis());
        file.write(ByteBuffer.wrap(line.getBytes(UTF_8)));
        park(pause);
      }
    }
    world.barrier();
    return new byte[0];
  }

  /** What a stopped process does first when it goes on cannot be fenced: it looks by itself. */
  private static void park(long nanos) throws InterruptedException {
    long begun = System.nanoTime();
    for (long left = nanos; left > 0; left = begun + nanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
    if (System.nanoTime() - begun > FROZEN_NANOS) {
      throw new InterruptedException("stopped for too long");
    }
  }
}
