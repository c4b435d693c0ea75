package io.cloudkon.client.report;

import java.io.PrintStream;
import me.tongfei.progressbar.ProgressBarConsumer;

/**
 * A terminal line that is redrawn in place. The library's own consumer would open the terminal a
 * second time to ask for its size, and would not erase the last line.
 */
record OneLine(PrintStream out, int width) implements ProgressBarConsumer {
  @Override
  public int getMaxRenderedLength() {
    return width;
  }

  @Override
  public void accept(String text) {
    // The cursor returns to the first column: from the last one, the echo of Ctrl-C would wrap.
    out.print("\r" + text + " ".repeat(Math.max(0, width - text.length())) + "\r");
    out.flush();
  }

  @Override
  public void clear() {
    out.print("\r" + " ".repeat(width) + "\r");
  }

  @Override
  public void close() {
    out.flush();
  }
}
