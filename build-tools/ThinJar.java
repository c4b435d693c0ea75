import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Makes an executable jar that leaves out what another jar beside it has, and names that one as its
 * class path: three programs that share 50 MB of libraries need them once.
 */
final class ThinJar {
  /** Asks for what is missing where somebody has copied the thin jar alone. */
  private static final String MAIN = "io/cloudkon/launch/";

  /** In the manifest, for {@code Main}, which asks for the other jar where it is missing. */
  private static final Attributes.Name BASE = new Attributes.Name("CloudKon-Base");

  /** Likewise, so that the thin jar's own build id changes with the other jar. */
  private static final Attributes.Name BASE_ID = new Attributes.Name("CloudKon-Base-Id");

  private ThinJar() {}

  /**
   * Makes one.
   *
   * @param whole the jar that has everything
   * @param base the finished jar that lies beside it
   * @param time of each entry
   */
  static void make(Path whole, Path base, Instant time, Path thin) throws IOException {
    Files.createDirectories(thin.getParent());
    try (JarFile all = new JarFile(whole.toFile());
        ZipFile there = new ZipFile(base.toFile());
        OutputStream file = new BufferedOutputStream(Files.newOutputStream(thin));
        ZipOutputStream out = new ZipOutputStream(file)) {
      Manifest manifest = all.getManifest();
      manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, base.getFileName().toString());
      manifest.getMainAttributes().put(BASE, base.getFileName().toString());
      manifest.getMainAttributes().put(BASE_ID, FinishJar.idOf(base));
      put(out, JarFile.MANIFEST_NAME, time);
      manifest.write(out);
      for (JarEntry entry : (Iterable<JarEntry>) kept(all, there)::iterator) {
        put(out, entry.getName(), time);
        all.getInputStream(entry).transferTo(out);
      }
    }
    FinishJar.main(new String[] {thin.toString()});
  }

  private static Stream<JarEntry> kept(JarFile all, ZipFile there) {
    return all.stream()
        .filter(entry -> !entry.isDirectory() && !entry.getName().equals(JarFile.MANIFEST_NAME))
        .filter(entry -> entry.getName().startsWith(MAIN) || !same(entry, there));
  }

  private static boolean same(ZipEntry entry, ZipFile there) {
    ZipEntry other = there.getEntry(entry.getName());
    return other != null && other.getCrc() == entry.getCrc() && other.getSize() == entry.getSize();
  }

  private static void put(ZipOutputStream out, String name, Instant time) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTimeLocal(LocalDateTime.ofInstant(time, ZoneOffset.UTC)); // in no zone of this machine
    out.putNextEntry(entry);
  }
}
