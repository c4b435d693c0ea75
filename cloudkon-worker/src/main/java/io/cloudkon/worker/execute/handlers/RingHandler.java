package io.cloudkon.worker.execute.handlers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.core.handler.Communicator;
import io.cloudkon.core.handler.RankHandler;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * {@code hpc N java ring [ROUNDS]}: a token goes from rank to rank for ROUNDS rounds, by default
 * one, and each rank adds its number. Rank 0 answers the sum, the others the token as they last
 * passed it on.
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
