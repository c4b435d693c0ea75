package io.cloudkon.client.status;

import java.util.List;

/** A window that text is drawn into. */
public interface Display {

  /** The current size. */
  Size size();

  /** Shows these lines instead of the previous ones. */
  void draw(List<String> lines);

  /** A size in characters. */
  record Size(int rows, int columns) {}
}
