package io.cloudkon.worker.execute;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.core.handler.RankHandler;
import io.cloudkon.core.handler.TaskHandler;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import javax.tools.ToolProvider;

/** Jars of handlers, compiled as a user would. */
final class TestJars {
  static final String SERVICES = "META-INF/services/" + TaskHandler.class.getName();

  private TestJars() {}

  /** A handler with this name in a class of the default package. */
  static String handler(String type, String name) {
    return "public class "
        + type
        + " implements io.cloudkon.core.handler.TaskHandler {\n"
        + "  public String name() { return \""
        + name
        + "\"; }\n"
        + "  public byte[] run(java.util.List<String> args) { return new byte[0]; }\n}\n";
  }

  /** A jar that holds this class and names it as its provider. */
  static void jar(Path jar, String type, String source) throws IOException {
    byte[] compiled = compile(jar.resolveSibling(type + "-src"), type, source);
    entries(jar, type + ".class", compiled, SERVICES, (type + "\n").getBytes(UTF_8));
  }

  /** A jar with a handler for ranks of this name, in a class of the default package. */
  static void rankJar(Path jar, String type, String name) throws IOException {
    rankJarOf(
        jar,
        type,
        """
        public class TYPE implements io.cloudkon.core.handler.RankHandler {
          public String name() { return "NAME"; }
          public byte[] run(io.cloudkon.core.handler.Communicator world, java.util.List<String> args) {
            return new byte[0];
          }
        }
        """
            .replace("TYPE", type)
            .replace("NAME", name));
  }

  /** The same with a source of its own. */
  static void rankJarOf(Path jar, String type, String source) throws IOException {
    byte[] compiled = compile(jar.resolveSibling(type + "-src"), type, source);
    String services = "META-INF/services/" + RankHandler.class.getName();
    entries(jar, type + ".class", compiled, services, (type + "\n").getBytes(UTF_8));
  }

  /** A jar of names and contents in turn. */
  static void entries(Path jar, Object... namesAndContents) throws IOException {
    Files.createDirectories(jar.getParent());
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      for (int i = 0; i < namesAndContents.length; i += 2) {
        out.putNextEntry(new ZipEntry((String) namesAndContents[i]));
        out.write((byte[]) namesAndContents[i + 1]);
        out.closeEntry();
      }
    }
  }

  static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static byte[] compile(Path folder, String type, String source) throws IOException {
    Path file = folder.resolve(type + ".java");
    write(file, source);
    String[] args = {
      "-proc:none",
      "-nowarn",
      "-cp",
      System.getProperty("java.class.path"),
      "-d",
      folder.toString(),
      file.toString()
    };
    int code = ToolProvider.getSystemJavaCompiler().run(null, null, null, args);
    if (code != 0) {
      throw new IllegalStateException("does not compile: " + source);
    }
    return Files.readAllBytes(folder.resolve(type + ".class"));
  }
}
