package io.cloudkon.examples.heat;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.awt.image.BufferedImage;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeatHandlerTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 7, 40})
  void picture_and_answer_do_not_depend_on_the_number_of_ranks(int ranks) throws Exception {
    Path alone = folder.resolve("alone.png");
    Path together = folder.resolve("together.png");

    List<byte[]> one = Ranks.run(1, new HeatHandler(), arguments("60 40 120 0", alone));
    List<byte[]> several = Ranks.run(ranks, new HeatHandler(), arguments("60 40 120 0", together));

    assertThat(several.getFirst()).isEqualTo(one.getFirst());
    assertThat(several.subList(1, ranks)).containsOnly(new byte[0]);
    assertThat(together).hasSameBinaryContentAs(alone);
  }

  @Test
  void it_ends_once_the_plate_changes_no_more() throws Exception {
    Path picture = folder.resolve("plate.png");

    String answer =
        new String(
            Ranks.run(4, new HeatHandler(), arguments("30 20 100000 1e-9", picture)).getFirst(),
            UTF_8);

    assertThat(answer).matches("\\d{3,4} steps, residual \\d\\.\\d\\de-10\n");
    BufferedImage image = ImageIO.read(picture.toFile());
    assertThat(image.getWidth()).isEqualTo(30);
    assertThat(image.getHeight()).isEqualTo(20);
    assertThat(brightness(image, 9, 7)).as("in the heater").isGreaterThan(600);
    assertThat(brightness(image, 15, 10)).as("beside it").isBetween(150, 600);
    assertThat(brightness(image, 1, 18)).as("in a cold corner").isLessThan(150);
  }

  private static int brightness(BufferedImage image, int x, int y) {
    int rgb = image.getRGB(x, y);
    return (rgb >> 16 & 0xFF) + (rgb >> 8 & 0xFF) + (rgb & 0xFF);
  }

  @ParameterizedTest
  @CsvSource({
    "60 40 120, expected 5 arguments",
    "60 x 120 0 p.png, expected numbers for WIDTH HEIGHT STEPS TOLERANCE PICTURE",
    "60 2 120 0 p.png, 3 to 32767 cells a side",
    "60 40 0 0 p.png, steps must be 1 or more",
    "60 40 120 -1 p.png, tolerance must be 0 or more",
    "60 40 120 NaN p.png, tolerance must be 0 or more"
  })
  void wrong_arguments_are_refused(String arguments, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Ranks.run(1, new HeatHandler(), List.of(arguments.split(" "))))
        .withMessageContaining(why);
  }

  @Test
  void more_ranks_than_rows_are_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> Ranks.run(5, new HeatHandler(), arguments("9 4 1 0", folder.resolve("p.png"))))
        .withMessageContaining("5 ranks for 4 rows");
  }

  private static List<String> arguments(String numbers, Path picture) {
    return List.of((numbers + ' ' + picture).split(" "));
  }
}
