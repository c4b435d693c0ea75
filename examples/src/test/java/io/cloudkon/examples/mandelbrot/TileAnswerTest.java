package io.cloudkon.examples.mandelbrot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TileAnswerTest {
  private static final String ARGUMENTS = "-0.7449 0.1137 0.0065 300 1600 1200 64 120 64 60";

  @Test
  void answer_is_read_as_it_was_written() throws Exception {
    TileAnswer answer = TileAnswer.compute(Tile.of(List.of(ARGUMENTS.split(" "))));

    TileAnswer read = TileAnswer.of(answer.toBytes());

    assertThat(read).usingRecursiveComparison().isEqualTo(answer);
    assertThat(read.pictureWidth()).isEqualTo(1600);
    assertThat(read.y()).isEqualTo(120);
  }

  @Test
  void answer_with_every_colour_is_read_as_it_was_written() throws IOException {
    int[] pixels = new Random(7).ints(50 * 40, 0, 1 << 24).toArray();
    TileAnswer answer = new TileAnswer(View.MAX_PIXELS, 41, 30_000, 1, 50, 40, pixels);

    assertThat(TileAnswer.of(answer.toBytes())).usingRecursiveComparison().isEqualTo(answer);
  }

  @Test
  void handler_answers_what_its_arguments_ask_for() throws Exception {
    MandelbrotTileHandler handler = new MandelbrotTileHandler();

    TileAnswer answer = TileAnswer.of(handler.run(List.of(ARGUMENTS.split(" "))));

    assertThat(answer.pixels())
        .isEqualTo(Mandelbrot.pixels(Tile.of(List.of(ARGUMENTS.split(" ")))));
  }

  @Test
  void largest_tile_of_the_example_fits_into_what_is_captured() {
    int[] noise = new Random(8).ints(64 * 60, 0, 1 << 24).toArray();

    assertThat(new TileAnswer(1600, 1200, 0, 0, 64, 60, noise).toBytes())
        .hasSizeLessThan(64 * 1024);
  }

  @Test
  void cut_or_foreign_answer_is_refused() throws Exception {
    byte[] whole = TileAnswer.compute(Tile.of(List.of(ARGUMENTS.split(" ")))).toBytes();

    for (int length : new int[] {0, 3, 15, 16, 17, whole.length / 2}) {
      assertThatIOException()
          .as("the first %d bytes", length)
          .isThrownBy(() -> TileAnswer.of(Arrays.copyOf(whole, length)));
    }
    assertThatIOException().isThrownBy(() -> TileAnswer.of(new byte[100]));
  }
}
