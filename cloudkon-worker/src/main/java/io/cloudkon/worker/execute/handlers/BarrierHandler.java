package io.cloudkon.worker.execute.handlers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.core.handler.Communicator;
import io.cloudkon.core.handler.RankHandler;
import java.util.List;

/**
 * {@code hpc N java barrier [TIMES]}: all ranks wait for each other TIMES times, by default once.
 * Each answers the number of ranks that it met.
 */
public final class BarrierHandler implements RankHandler {

  @Override
  public String name() {
    return "barrier";
  }

  @Override
  public byte[] run(Communicator world, List<String> args) throws InterruptedException {
    int times = Arguments.positive("barrier [TIMES]", "TIMES", args, 1);
    for (int i = 0; i < times; i++) {
      world.barrier();
    }
    return (world.size() + " ranks").getBytes(UTF_8);
  }
}
