package io.cloudkon.client.report;

import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;

/**
 * The progress display: one line that a thread of the library redraws five times a second. That
 * thread asks for the numbers, so the display costs the run nothing. Closing erases the line, so
 * that the report starts on a clean one.
 */
public interface Progress extends AutoCloseable {
  /** The interval at which the line is redrawn. */
  int INTERVAL_MILLIS = 200;

  @Override
  void close();

  /**
   * Starts the display.
   *
   * @param err where to draw
   * @param columns the terminal's width, see {@link Terminal#columns}; if empty, nothing is shown
   * @param done the number of tasks with a final result
   * @param earlier how many of them had finished before, and are left out of the rate
   * @param notSucceeded how many of them did not succeed
   * @param total the number of all tasks; negative while it is unknown ({@code --stream})
   * @param nanos a monotonic clock
   */
  static Progress start(
      PrintStream err,
      OptionalInt columns,
      LongSupplier done,
      LongSupplier earlier,
      LongSupplier notSucceeded,
      LongSupplier total,
      LongSupplier nanos) {
    if (columns.isEmpty()) {
      return () -> {};
    }
    // The last column stays free: some terminals wrap when it is written to.
    int width = Math.max(1, columns.getAsInt() - 1);
    Charset charset = err.charset();
    ProgressLine line =
        new ProgressLine(charset.canEncode() && charset.newEncoder().canEncode('\u2588'));
    ProgressBar bar =
        new ProgressBarBuilder()
            .setUpdateIntervalMillis(INTERVAL_MILLIS)
            .continuousUpdate()
            .clearDisplayOnFinish()
            .setRenderer((state, most) ->
                line.text(
                    nanos.getAsLong(),
                    done.getAsLong(),
                    earlier.getAsLong(),
                    notSucceeded.getAsLong(),
                    total.getAsLong(),
                    most))
            .setConsumer(new OneLine(err, width))
            .build();
    return bar::close;
  }
}
