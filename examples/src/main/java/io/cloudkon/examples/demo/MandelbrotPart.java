package io.cloudkon.examples.demo;

import io.cloudkon.examples.mandelbrot.Tile;
import io.cloudkon.examples.picture.Picture;
import io.cloudkon.examples.picture.PictureFile;
import io.cloudkon.examples.picture.TileFile;
import java.nio.file.Path;
import java.util.List;

/** The first workload: tiles, joined into one PNG, and a worker that dies half-way. */
final class MandelbrotPart {
  /** Every so many tiles, one is computed here as well, and compared with the picture. */
  private static final int COMPARE_EVERY = 83;

  private final DemoChildren children;
  private final Installation installation;
  private final DemoFleet fleet;
  private final Narrator narrator;

  MandelbrotPart(
      DemoChildren children, Installation installation, DemoFleet fleet, Narrator narrator) {
    this.children = children;
    this.installation = installation;
    this.fleet = fleet;
    this.narrator = narrator;
  }

  /**
   * Runs it.
   *
   * @param out where picture and results go
   */
  void run(Path out) throws InterruptedException {
    List<Tile> tiles = TileFile.read(installation.tiles());
    narrator.heading(
        "1. A picture as %d tasks, some of which take hundreds of times as long as others"
            .formatted(tiles.size()));
    Killing killing = new Killing(fleet, narrator, tiles.size());
    Path results = out.resolve("mandelbrot");
    DemoRunReport report =
        DemoClient.run(children, installation, installation.tiles(), results, killing);
    killing.tell(report);
    Picture picture = Picture.join(results.resolve("results.jsonl"));
    Path png = out.resolve("mandelbrot.png");
    picture.write(png);
    int compared = compare(png, tiles);
    if (picture.tiles() != tiles.size()) {
      throw new WrongException(
          "%s has %d tiles, not %d".formatted(png, picture.tiles(), tiles.size()));
    }
    narrator.say(
        "The %d tiles are one picture; %d of them, computed here again, are the same."
            .formatted(picture.tiles(), compared));
    narrator.say("Picture: " + png);
  }

  private static int compare(Path png, List<Tile> tiles) throws InterruptedException {
    PictureFile file = PictureFile.read(png);
    int compared = 0;
    for (int i = 0; i < tiles.size(); i += COMPARE_EVERY) {
      if (!file.shows(tiles.get(i))) {
        throw new WrongException("%s is wrong at %s".formatted(png, tiles.get(i)));
      }
      compared++;
    }
    return compared;
  }
}
