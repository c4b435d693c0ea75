package io.cloudkon.client.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.core.handler.TaskHandler;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;

/**
 * A handler that hears nothing until it is released. With the argument {@code busy}, it computes
 * all that time.
 */
public final class DeafHandler implements TaskHandler {
  static volatile CountDownLatch released = new CountDownLatch(1);

  /** A folder with a jar that names this handler. */
  static Path jars(Path folder) throws IOException {
    String type = DeafHandler.class.getName();
    String file = type.replace('.', '/') + ".class";
    try (OutputStream out = Files.newOutputStream(folder.resolve("deaf.jar"));
        JarOutputStream jar = new JarOutputStream(out);
        var bytes =
            Objects.requireNonNull(DeafHandler.class.getClassLoader().getResourceAsStream(file))) {
      jar.putNextEntry(new ZipEntry(file));
      jar.write(bytes.readAllBytes());
      jar.closeEntry();
      jar.putNextEntry(new ZipEntry("META-INF/services/" + TaskHandler.class.getName()));
      jar.write(type.getBytes(UTF_8));
      jar.closeEntry();
    }
    return folder;
  }

  @Override
  public String name() {
    return "deaf";
  }

  @Override
  public byte[] run(List<String> args) {
    while (args.contains("busy") && released.getCount() > 0) {
      Thread.onSpinWait();
    }
    while (true) {
      try {
        released.await();
        return new byte[0];
      } catch (InterruptedException ignored) {
        // that is what it is for
      }
    }
  }
}
