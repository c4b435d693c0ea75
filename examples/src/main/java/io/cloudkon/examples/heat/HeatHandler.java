package io.cloudkon.examples.heat;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.core.handler.Communicator;
import io.cloudkon.core.handler.RankHandler;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * {@code hpc N java heat WIDTH HEIGHT STEPS TOLERANCE PICTURE}: how heat spreads in a {@link
 * Plate}, until it changes no more. Each rank has a band of rows; before each step it gives its
 * outermost rows to its neighbours. Rank 0 paints the picture, and answers how many steps it took
 * and how much the last one changed.
 */
public final class HeatHandler implements RankHandler {
  /** All ranks together look only so often whether it is enough: it costs as much as a step. */
  private static final int LOOK_EVERY = 50;

  @Override
  public String name() {
    return "heat";
  }

  @Override
  public byte[] run(Communicator world, List<String> args)
      throws InterruptedException, IOException {
    HeatJob job = HeatJob.of(args);
    Plate plate = job.plate();
    if (world.size() > plate.height()) {
      throw new IllegalArgumentException(
          "%d ranks for %d rows; expected a row or more for each"
              .formatted(world.size(), plate.height()));
    }
    int from = Band.firstRow(plate.height(), world.rank(), world.size());
    int to = Band.firstRow(plate.height(), world.rank() + 1, world.size());
    Band band = new Band(plate, from, to);

    double residual = Double.POSITIVE_INFINITY;
    int steps = 0;
    while (steps < job.steps() && residual > job.tolerance()) {
      exchange(world, band);
      double change = band.step();
      steps++;
      if (steps % LOOK_EVERY == 0 || steps == job.steps()) {
        residual = world.allReduce(new double[] {change}, Math::max)[0];
      }
    }

    List<byte[]> bands = world.gather(0, band.toBytes());
    if (world.rank() != 0) {
      return new byte[0];
    }
    HeatPicture.write(plate, bands, job.picture());
    return String.format(Locale.ROOT, "%d steps, residual %.3g%n", steps, residual).getBytes(UTF_8);
  }

  /** Nobody waits before it has sent, so the order does not matter. */
  private static void exchange(Communicator world, Band band) throws InterruptedException {
    int above = world.rank() - 1;
    int below = world.rank() + 1;
    boolean top = world.rank() == 0;
    boolean bottom = below == world.size();
    if (!top) {
      world.send(above, band.firstRow());
    }
    if (!bottom) {
      world.send(below, band.lastRow());
    }
    if (!top) {
      band.above(world.receive(above));
    }
    if (!bottom) {
      band.below(world.receive(below));
    }
  }
}
