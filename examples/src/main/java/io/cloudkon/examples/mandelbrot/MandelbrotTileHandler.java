package io.cloudkon.examples.mandelbrot;

import io.cloudkon.core.handler.TaskHandler;
import java.util.List;

/** {@code java mandelbrot-tile …}: computes one {@link Tile}, answers a {@link TileAnswer}. */
public final class MandelbrotTileHandler implements TaskHandler {

  @Override
  public String name() {
    return "mandelbrot-tile";
  }

  @Override
  public byte[] run(List<String> args) throws InterruptedException {
    return TileAnswer.compute(Tile.of(args)).toBytes();
  }
}
