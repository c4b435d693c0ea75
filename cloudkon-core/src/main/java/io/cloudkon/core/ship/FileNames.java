package io.cloudkon.core.ship;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * File names as UTF-8, whatever the locale: in the C locale, which services often run in, the JDK
 * neither reads nor makes names beyond ASCII as text, but does both as bytes in a URI.
 */
public final class FileNames {
  private FileNames() {}

  /** See {@link Tree#nameOf}. */
  static String ofTop(Path path) throws IOException {
    Path last = path.getFileName();
    String text = last == null ? "" : last.toString();
    if (text.isEmpty() || text.equals(".") || text.equals("..")) {
      last = path.toRealPath().getFileName();
    }
    if (last == null) {
      throw new IOException(path + ": is the whole file system; expected a file or a folder in it");
    }
    return of(last);
  }

  /**
   * The name of a path of one element.
   *
   * @throws IOException if it is not UTF-8
   */
  public static String of(Path name) throws IOException {
    String text = name.toString();
    if (isAscii(text) || File.separatorChar != '/') {
      return text;
    }
    String raw = name.toUri().getRawPath();
    String trimmed = raw.endsWith("/") ? raw.substring(0, raw.length() - 1) : raw;
    String last = trimmed.substring(trimmed.lastIndexOf('/') + 1);
    // A plus is literal in a path but means a blank in a query; Latin 1 maps bytes unchanged.
    String bytes = URLDecoder.decode(last.replace("+", "%2B"), StandardCharsets.ISO_8859_1);
    try {
      return UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.ISO_8859_1)))
          .toString();
    } catch (CharacterCodingException e) {
      throw new IOException(text + ": the name is not UTF-8; expected a name in UTF-8", e);
    }
  }

  /** A relative path with slashes between its elements. */
  static String ofRelative(Path path) throws IOException {
    StringBuilder name = new StringBuilder();
    for (Path element : path) {
      name.append(name.isEmpty() ? "" : "/").append(of(element));
    }
    return name.toString();
  }

  /** The path of that name, one element or several, as a relative one. */
  public static Path path(String name) {
    if (isAscii(name) || File.separatorChar != '/') {
      return Path.of(name);
    }
    Path path = Path.of("");
    for (String element : name.split("/")) {
      String encoded = URLEncoder.encode(element, UTF_8).replace("+", "%20");
      Path absolute = Path.of(URI.create("file:///" + encoded));
      path = path.resolve(absolute.getRoot().relativize(absolute));
    }
    return path;
  }

  private static boolean isAscii(String text) {
    return text.chars().allMatch(c -> c < 0x80);
  }
}
