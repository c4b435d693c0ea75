package io.cloudkon.examples.mandelbrot;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.examples.commands.ExampleReadme;
import io.cloudkon.examples.commands.Workspace;
import io.cloudkon.examples.picture.PictureFile;
import io.cloudkon.examples.picture.TileFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MandelbrotIT {
  @TempDir private Path folder;

  @Test
  void tiles_are_computed_by_the_handlers_jar_and_joined_into_the_picture() throws Exception {
    Workspace workspace = new Workspace(folder);

    workspace
        .run(afterTheBuild(ExampleReadme.of("mandelbrot").blockWith("-s LOCAL")))
        .requireSuccess();

    PictureFile picture = PictureFile.read(workspace.file("mandelbrot.png"));
    assertThat(picture.width()).isEqualTo(1600);
    assertThat(picture.height()).isEqualTo(1200);
    List<Tile> tiles = tiles();
    for (int i = 3; i < tiles.size(); i += 50) {
      assertThat(picture.shows(tiles.get(i))).as(tiles.get(i).toString()).isTrue();
    }
  }

  /** The first command builds, as is done already where this runs. */
  private static String afterTheBuild(String commands) {
    assertThat(commands).startsWith("mvn ");
    return commands.substring(commands.indexOf('\n') + 1);
  }

  private static List<Tile> tiles() throws Exception {
    return TileFile.read(Workspace.CHECKOUT.resolve("examples/mandelbrot/tiles.txt"));
  }

  @Test
  void command_of_the_readme_makes_the_workload() throws Exception {
    Workspace workspace = new Workspace(folder);
    String made =
        workspace
            .run(ExampleReadme.of("mandelbrot").blockWith("awk -v view"))
            .requireSuccess()
            .stdout();
    Path file = Files.writeString(folder.resolve("made.txt"), made);

    assertThat(TileFile.read(file)).isEqualTo(tiles());
  }
}
