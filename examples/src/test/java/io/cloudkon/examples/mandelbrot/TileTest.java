package io.cloudkon.examples.mandelbrot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TileTest {

  @Test
  void arguments_name_picture_and_rectangle() {
    Tile tile = Tile.of(List.of("-0.5 0 3 100 40 30 8 6 4 2".split(" ")));

    assertThat(tile).isEqualTo(new Tile(new View(-0.5, 0, 3, 100, 40, 30), 8, 6, 4, 2));
  }

  @ParameterizedTest
  @CsvSource({
    "-0.5 0 3 100 40 30 8 6 4, there are 9",
    "-0.5 0 x 100 40 30 8 6 4 2, 'x' is no number",
    "-0.5 0 3 ten 40 30 8 6 4 2, 'ten' is no whole number",
    "-0.5 0 0 100 40 30 8 6 4 2, span must be above 0",
    "-0.5 0 NaN 100 40 30 8 6 4 2, span must be above 0",
    "-0.5 0 3 0 40 30 8 6 4 2, iterations must be 1 or more",
    "-0.5 0 3 100 0 30 8 6 4 2, 1 to 32767 pixels",
    "-0.5 0 3 100 40 30 38 6 4 2, does not lie in a picture of 40 x 30",
    "-0.5 0 3 100 40 30 -1 6 4 2, does not lie in a picture of 40 x 30"
  })
  void wrong_arguments_are_refused(String arguments, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tile.of(List.of(arguments.split(" "))))
        .withMessageContaining(why.replace("''", "'"));
  }
}
