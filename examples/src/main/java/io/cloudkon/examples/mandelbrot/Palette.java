package io.cloudkon.examples.mandelbrot;

/** Colours by how soon a point leaves: a ring of five, blended between neighbours. */
final class Palette {
  private static final double[][] RING = {
    {6, 8, 34}, {18, 92, 140}, {248, 244, 222}, {232, 138, 34}, {92, 18, 46}
  };

  /** How many iterations, on a square root's scale, lead once around the ring. */
  private static final double ROUND = 9;

  private Palette() {}

  /**
   * Adds a colour to a sum of colours.
   *
   * @param iterations after how many the point left, with a fraction; negative if it stayed, which
   *     is black
   */
  static void add(double iterations, double[] sum) {
    if (iterations < 0) {
      return;
    }
    double place = Math.sqrt(iterations) / ROUND * RING.length;
    int before = (int) place;
    double share = place - before;
    double[] from = RING[before % RING.length];
    double[] to = RING[(before + 1) % RING.length];
    for (int channel = 0; channel < sum.length; channel++) {
      sum[channel] += from[channel] + share * (to[channel] - from[channel]);
    }
  }
}
