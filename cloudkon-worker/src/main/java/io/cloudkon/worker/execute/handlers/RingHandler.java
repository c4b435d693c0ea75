package io.cloudkon.worker.execute.handlers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.core.handler.Communicator;
import io.cloudkon.core.handler.RankHandler;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * {@code hpc N java ring [ROUNDS]}: a token goes from rank to rank, so many rounds, once by
 * default, and each adds its number; rank 0 answers the sum, the others what the token was when
 * they passed it on last.
 */
public final class RingHandler implements RankHandler {

  @Override
  public String name() {
    return "ring";
  }

  @Override
  public byte[] run(Communicator world, List<String> args) throws InterruptedException {
    int rounds = Arguments.positive("ring [ROUNDS]", "ROUNDS", args, 1);
    int before = Math.floorMod(world.rank() - 1, world.size());
    int after = (world.rank() + 1) % world.size();
    long token = 0;
    for (int i = 0; i < rounds; i++) {
      if (world.rank() != 0) {
        token = ByteBuffer.wrap(world.receive(before)).getLong() + world.rank();
      }
      world.send(after, ByteBuffer.allocate(Long.BYTES).putLong(token).array());
      if (world.rank() == 0) {
        token = ByteBuffer.wrap(world.receive(before)).getLong();
      }
    }
    return Long.toString(token).getBytes(UTF_8);
  }
}
