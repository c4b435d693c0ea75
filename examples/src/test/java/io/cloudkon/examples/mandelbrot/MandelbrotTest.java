package io.cloudkon.examples.mandelbrot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MandelbrotTest {
  private static final View WHOLE = new View(-0.5, 0, 3, 200, 60, 40);

  @ParameterizedTest
  @CsvSource({"0, 0", "-1, 0", "-0.1, 0.1", "0.25, 0", "-0.12, 0.75"})
  void point_of_the_set_never_leaves(double real, double imaginary) {
    assertThat(Mandelbrot.escape(real, imaginary, 2_000)).isEqualTo(-1);
  }

  @ParameterizedTest
  @CsvSource({"2, 0", "-2.1, 0", "0.4, 0.4", "-0.75, 0.1"})
  void point_outside_leaves(double real, double imaginary) {
    assertThat(Mandelbrot.escape(real, imaginary, 2_000)).isNotNegative();
  }

  @Test
  void farther_point_leaves_sooner() {
    assertThat(Mandelbrot.escape(1.5, 0, 100)).isLessThan(Mandelbrot.escape(0.5, 0, 100));
  }

  /** Near -3/4 + it, the iterations until a point leaves come to pi / t. */
  @Test
  void iterations_near_the_neck_approach_pi() {
    assertThat(Mandelbrot.escape(-0.75, 0.001, 10_000) * 0.001).isCloseTo(Math.PI, within(0.02));
  }

  @Test
  void picture_is_black_inside_and_coloured_outside() throws InterruptedException {
    int[] pixels = Mandelbrot.pixels(new Tile(WHOLE, 0, 0, 60, 40));

    assertThat(pixels[20 * 60 + 30]).as("-0.5 + 0i").isZero();
    assertThat(pixels[0]).as("-2 + i").isNotZero();
  }

  @Test
  void picture_is_the_same_above_and_below_the_real_axis() throws InterruptedException {
    int[] pixels = Mandelbrot.pixels(new Tile(WHOLE, 0, 0, 60, 40));

    for (int row = 0; row < 40; row++) {
      for (int column = 0; column < 60; column++) {
        assertThat(pixels[row * 60 + column]).isEqualTo(pixels[(39 - row) * 60 + column]);
      }
    }
  }

  @Test
  void tile_is_a_part_of_the_whole() throws InterruptedException {
    int[] whole = Mandelbrot.pixels(new Tile(WHOLE, 0, 0, 60, 40));
    int[] tile = Mandelbrot.pixels(new Tile(WHOLE, 12, 7, 10, 5));

    for (int i = 0; i < tile.length; i++) {
      assertThat(tile[i]).isEqualTo(whole[(7 + i / 10) * 60 + 12 + i % 10]);
    }
  }

  @Test
  void interrupted_thread_computes_no_further() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> Mandelbrot.pixels(new Tile(WHOLE, 0, 0, 60, 40)))
        .isInstanceOf(InterruptedException.class);
  }
}
