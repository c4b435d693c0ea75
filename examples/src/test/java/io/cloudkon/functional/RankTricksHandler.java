package io.cloudkon.functional;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.core.handler.Communicator;
import io.cloudkon.core.handler.RankHandler;
import java.util.List;

/**
 * {@code java tricks sum}: every rank answers the sum of all ranks' numbers from 1. {@code java
 * tricks throw RANK} and {@code java tricks absent RANK}: that rank throws, or comes to no barrier,
 * while the others wait there.
 */
public final class RankTricksHandler implements RankHandler {

  @Override
  public String name() {
    return "tricks";
  }

  @Override
  public byte[] run(Communicator world, List<String> args) throws InterruptedException {
    if (args.getFirst().equals("sum")) {
      double sum = world.allReduce(new double[] {world.rank() + 1}, Double::sum)[0];
      return Long.toString(Math.round(sum)).getBytes(UTF_8);
    }
    if (world.rank() == Integer.parseInt(args.get(1))) {
      if (args.getFirst().equals("throw")) {
        throw new IllegalStateException("thrown on purpose by rank " + world.rank());
      }
      world.receive((world.rank() + 1) % world.size());
    }
    world.barrier();
    return new byte[0];
  }
}
