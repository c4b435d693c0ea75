package io.cloudkon.bench.plot;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.UsageException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.internal.chartpart.IChart;

/** Writes charts one above the other to one file. */
public final class Png {
  private static final String SUFFIX = ".png";

  private Png() {}

  /**
   * Validates the path of a picture, before anything is computed for it.
   *
   * @throws UsageException if its name does not end with {@code .png}, or its folder is missing
   */
  public static void check(Path file) {
    if (!file.toString().toLowerCase(Locale.ROOT).endsWith(SUFFIX)) {
      throw new UsageException("--plot %s: expected a name that ends with .png".formatted(file));
    }
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new UsageException("--plot %s: there is no folder %s".formatted(file, folder));
    }
  }

  /** Writes the charts, replacing an existing file. */
  static void write(Path file, List<IChart> charts) throws IOException {
    System.setProperty("java.awt.headless", "true");
    try (OutputStream out = Files.newOutputStream(file)) {
      BitmapEncoder.saveBitmap(charts, charts.size(), 1, out, BitmapEncoder.BitmapFormat.PNG);
    } catch (NoClassDefFoundError | UnsatisfiedLinkError | InternalError e) {
      // This Java has no desktop module, or this machine has no fonts.
      throw new CloudKonException(
          "%s cannot be drawn: this machine lacks fonts or this Java its desktop module (%s)"
              .formatted(file, e),
          e);
    }
  }
}
