package io.cloudkon.examples.picture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.examples.mandelbrot.Tile;
import io.cloudkon.examples.mandelbrot.TileAnswer;
import io.cloudkon.examples.mandelbrot.View;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PictureTest {
  private static final View VIEW = new View(-0.5, 0, 3, 100, 30, 20);

  @TempDir Path folder;

  @Test
  void tiles_in_any_order_make_the_picture() throws Exception {
    List<Tile> tiles = tiles();
    Path results = results(tiles, "SUCCEEDED");
    Path png = folder.resolve("new/picture.png");

    Picture picture = Picture.join(results);
    picture.write(png);

    assertThat(picture.tiles()).isEqualTo(6);
    PictureFile file = PictureFile.read(png);
    assertThat(file.width()).isEqualTo(30);
    assertThat(file.height()).isEqualTo(20);
    assertThat(file.shows(new Tile(VIEW, 0, 0, 30, 20))).isTrue();
    for (Tile tile : tiles) {
      assertThat(file.shows(tile)).isTrue();
    }
  }

  @Test
  void another_picture_does_not_show_the_tile() throws Exception {
    Path png = folder.resolve("picture.png");
    Picture picture = Picture.join(results(tiles(), "SUCCEEDED"));
    picture.write(png);
    View other = new View(-0.5, 0, 2, 100, 30, 20);

    assertThat(PictureFile.read(png).shows(new Tile(other, 10, 0, 10, 10))).isFalse();
    View larger = new View(-0.5, 0, 3, 100, 60, 40);
    assertThat(PictureFile.read(png).shows(new Tile(larger, 0, 0, 10, 10))).isFalse();
  }

  @Test
  void missing_tile_is_said_and_nothing_is_written() throws Exception {
    Path png = folder.resolve("picture.png");
    Picture picture = Picture.join(results(tiles().subList(1, 6), "SUCCEEDED"));

    assertThat(picture.missing()).isEqualTo(100);
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> picture.write(png))
        .withMessageContaining("100 pixels missing after 5 tiles");
    assertThat(png).doesNotExist();
  }

  @Test
  void task_that_did_not_succeed_is_named() throws Exception {
    Path results = results(tiles().subList(0, 1), "LOST");

    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> Picture.join(results))
        .withMessageContaining("task 1 LOST");
  }

  @Test
  void result_of_another_workload_is_named() throws Exception {
    Path results = folder.resolve("results.jsonl");
    Files.writeString(
        results, "{\"task\":\"17\",\"status\":\"SUCCEEDED\",\"exitCode\":0,\"output\":\"aGk=\"}\n");

    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> Picture.join(results))
        .withMessageContaining("task 17")
        .withMessageContaining("mandelbrot-tile");
  }

  @Test
  void overlapping_tile_is_refused() throws Exception {
    Picture picture = new Picture();
    picture.add(TileAnswer.compute(new Tile(VIEW, 0, 0, 10, 10)));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> picture.add(TileAnswer.compute(new Tile(VIEW, 9, 9, 10, 10))))
        .withMessageContaining("overlaps");
  }

  @Test
  void tile_of_another_picture_is_refused() throws Exception {
    Picture picture = new Picture();
    picture.add(TileAnswer.compute(new Tile(VIEW, 0, 0, 10, 10)));
    View other = new View(-0.5, 0, 3, 100, 40, 20);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> picture.add(TileAnswer.compute(new Tile(other, 20, 0, 10, 10))))
        .withMessageContaining("another picture");
  }

  @Test
  void committed_workload_covers_its_picture_exactly() {
    Path workload =
        Path.of(System.getProperty("cloudkon.home"), "examples", "mandelbrot", "tiles.txt");

    List<Tile> tiles = TileFile.read(workload);

    assertThat(tiles).hasSize(500).doesNotHaveDuplicates();
    assertThat(tiles.stream().map(Tile::view)).containsOnly(tiles.getFirst().view());
    Picture picture = new Picture();
    for (Tile tile : tiles) {
      int[] empty = new int[tile.width() * tile.height()];
      picture.add(
          new TileAnswer(1600, 1200, tile.x(), tile.y(), tile.width(), tile.height(), empty));
    }
    assertThat(picture.missing()).isZero();
  }

  private static List<Tile> tiles() {
    List<Tile> tiles = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      tiles.add(new Tile(VIEW, i % 3 * 10, i / 3 * 10, 10, 10));
    }
    return tiles;
  }

  private Path results(List<Tile> tiles, String status) throws Exception {
    List<String> lines = new ArrayList<>();
    for (Tile tile : tiles) {
      lines.add(
          "{\"task\":\"%d\",\"status\":\"%s\",\"exitCode\":0,\"output\":\"%s\",\"outputEncoding\":\"base64\"}"
              .formatted(
                  lines.size() + 1,
                  status,
                  Base64.getEncoder().encodeToString(TileAnswer.compute(tile).toBytes())));
    }
    Collections.shuffle(lines, new Random(1));
    return Files.write(folder.resolve("results.jsonl"), lines);
  }
}
