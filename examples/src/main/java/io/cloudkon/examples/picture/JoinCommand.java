package io.cloudkon.examples.picture;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code join}: makes one PNG of a run's tiles. */
@Command(
    name = "join",
    description = "Joins the tiles of a mandelbrot run into one PNG.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example:",
      "  java -jar examples/target/cloudkon-examples.jar join tiles/results.jsonl m.png"
    })
public final class JoinCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "RESULTS", description = "The run's results.jsonl.")
  Path results = Path.of("");

  @Parameters(index = "1", paramLabel = "PNG", description = "The picture to write.")
  Path png = Path.of("");

  @Override
  public Integer call() {
    Picture picture = Picture.join(results);
    picture.write(png);
    System.out.printf("%d tiles joined: %s%n", picture.tiles(), png);
    return 0;
  }
}
