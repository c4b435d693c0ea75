package io.cloudkon.client.status;

import java.util.List;

/** A window that text is drawn into. */
public interface Display {

  /** How large it is now. */
  Size size();

  /** Shows these lines in the place of those before. */
  void draw(List<String> lines);

  /** In characters. */
  record Size(int rows, int columns) {}
}
