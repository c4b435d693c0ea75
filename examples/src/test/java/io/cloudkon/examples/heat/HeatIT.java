package io.cloudkon.examples.heat;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.examples.commands.Ended;
import io.cloudkon.examples.commands.ExampleReadme;
import io.cloudkon.examples.commands.Workspace;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeatIT {
  @TempDir private Path folder;

  @Test
  void plates_are_computed_by_the_handlers_jar_and_painted() throws Exception {
    Workspace workspace = new Workspace(folder);

    Ended ended =
        workspace
            .run(afterTheBuild(ExampleReadme.of("heat").blockWith("-s LOCAL")))
            .requireSuccess();

    List<String> answers = ended.linesAfterReport();
    assertThat(answers).hasSize(3).contains("400 steps, residual 0.000640");
    assertThat(answers)
        .filteredOn(line -> line.matches("\\d{5} steps, residual .*e-0[56]"))
        .hasSize(2);
    BufferedImage plate = picture(workspace, "plate.png");
    assertThat(plate.getWidth()).isEqualTo(600);
    assertThat(plate.getHeight()).isEqualTo(400);
    BufferedImage small = picture(workspace, "small.png");
    BufferedImage early = picture(workspace, "early.png");
    assertThat(red(small, 150, 75)).as("grown warm").isGreaterThan(red(early, 150, 75) + 50);
    assertThat(red(early, 90, 70)).as("in the heater").isGreaterThan(240);
  }

  private static BufferedImage picture(Workspace workspace, String name) throws IOException {
    return ImageIO.read(workspace.file(name).toFile());
  }

  private static int red(BufferedImage image, int x, int y) {
    return image.getRGB(x, y) >> 16 & 0xFF;
  }

  /** The first command builds, as is done already where this runs. */
  private static String afterTheBuild(String commands) {
    assertThat(commands).startsWith("mvn ");
    return commands.substring(commands.indexOf('\n') + 1);
  }
}
