package io.cloudkon.worker.input;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.core.handler.TaskHandler;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import javax.tools.ToolProvider;

/** Jars with a handler that answers its own name, compiled as a user would. */
public final class Jars {
  private Jars() {}

  /** A jar with a handler of this name; gives its path. */
  public static Path with(Path jar, String name) throws IOException {
    String type = "Handler" + name;
    return of(
        jar,
        type,
        """
        public class %s implements io.cloudkon.core.handler.TaskHandler {
          public String name() { return "%s"; }
          public byte[] run(java.util.List<String> args) { return name().getBytes(); }
        }
        """
            .formatted(type, name));
  }

  /** A jar with a handler of this class and source; gives its path. */
  static Path of(Path jar, String type, String text) throws IOException {
    Path folder = Files.createDirectories(jar.resolveSibling(type + "-src"));
    Path source = folder.resolve(type + ".java");
    Files.writeString(source, text);
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-nowarn",
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                folder.toString(),
                source.toString());
    if (code != 0) {
      throw new IllegalStateException("does not compile: " + source);
    }
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out)) {
      entries.putNextEntry(new ZipEntry(type + ".class"));
      entries.write(Files.readAllBytes(folder.resolve(type + ".class")));
      entries.putNextEntry(new ZipEntry("META-INF/services/" + TaskHandler.class.getName()));
      entries.write(type.getBytes(UTF_8));
    }
    return jar;
  }
}
