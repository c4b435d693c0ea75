package io.cloudkon.core.ship;

import java.nio.file.Path;

/** An entry of a tree; its name begins with the tree's own name and uses slashes. */
sealed interface Node {
  String name();

  record Folder(String name) implements Node {}

  /**
   * A regular file.
   *
   * @param shown its name in messages
   * @param mode the owner's permissions, such as {@code 0600}
   */
  record File(String name, Path path, Path shown, long size, long modified, int mode)
      implements Node {}

  /**
   * A symbolic link.
   *
   * @param target relative to the link's folder: first any number of {@code ..}, then names; no
   *     link lies on the way
   */
  record Link(String name, String target) implements Node {}
}
