package io.cloudkon.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;

/** Makes jars such as workers get by {@code --handlers}. */
public final class HandlerJar {
  private HandlerJar() {}

  /**
   * A jar of one handler.
   *
   * @param kind what it is to workers: the interface by which they find it
   * @param handler a class without nested ones
   */
  public static <T> void write(Path jar, Class<T> kind, Class<? extends T> handler) {
    String type = handler.getName().replace('.', '/') + ".class";
    try {
      Files.createDirectories(jar.toAbsolutePath().getParent());
      try (OutputStream to = Files.newOutputStream(jar);
          JarOutputStream out = new JarOutputStream(to);
          InputStream code = handler.getClassLoader().getResourceAsStream(type)) {
        out.putNextEntry(new ZipEntry(type));
        out.write(code.readAllBytes());
        out.putNextEntry(new ZipEntry("META-INF/services/" + kind.getName()));
        out.write(handler.getName().getBytes(UTF_8));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
