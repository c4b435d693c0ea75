import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/**
 * Prepares jars for an AOT cache: raises the class files of picocli, which are too old for one,
 * forgets a class path that names a folder, with which none is made, writes the build id at the
 * jar's end, and deletes the caches of earlier builds. Gives the jar the time at which its build
 * began, so that a source that was saved during the build is newer than the jar.
 *
 * <p>The build id is the start of the SHA-256 of the content, in 16 hexadecimal digits. It is the
 * comment of the zip file, so its last 16 bytes: a shell reads it without unpacking anything.
 *
 * <p>Usage: {@code FinishJar.java [--begun INSTANT] JAR…}. The content of a jar that is finished
 * already stays as it is.
 */
final class FinishJar {
  private static final String BEGUN = "--begun";
  private static final int ID_LENGTH = 16;

  /** Of Java 5; a class file before Java 6 has no stack maps, without which no cache takes it. */
  private static final String TOO_OLD = "/picocli";

  private static final int FIRST_WITH_STACK_MAPS = ClassFile.JAVA_6_VERSION;

  /** "PK" 5 6: the end of a zip file's directory, 22 bytes where there is no comment. */
  private static final int END_OF_DIRECTORY = 0x504b0506;

  private static final int END_LENGTH = 22;

  private FinishJar() {}

  public static void main(String[] args) throws IOException {
    boolean timed = args.length > 0 && args[0].equals(BEGUN);
    for (String arg : List.of(args).subList(timed ? 2 : 0, args.length)) {
      Path jar = Path.of(arg).toRealPath();
      removeCaches(jar);
      raise(jar);
      forgetFolders(jar);
      label(jar);
      if (timed) {
        Files.setLastModifiedTime(jar, FileTime.from(Instant.parse(args[1])));
      }
    }
  }

  /** Caches of this jar as it was, whatever their key. */
  private static void removeCaches(Path jar) throws IOException {
    String name = jar.getFileName().toString().replaceAll("\\.jar$", "");
    try (DirectoryStream<Path> caches =
        Files.newDirectoryStream(jar.getParent(), name + ".*.aot")) {
      for (Path cache : caches) {
        Files.delete(cache);
      }
    }
  }

  private static void raise(Path jar) throws IOException {
    try (URLClassLoader classes = new URLClassLoader(new URL[] {jar.toUri().toURL()});
        FileSystem zip = FileSystems.newFileSystem(jar)) {
      ClassFile files =
          ClassFile.of(
              ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
              ClassFile.ClassHierarchyResolverOption.of(
                  ClassHierarchyResolver.ofResourceParsing(classes)
                      .orElse(ClassHierarchyResolver.defaultResolver())));
      Path folder = zip.getPath(TOO_OLD);
      if (Files.isDirectory(folder)) {
        List<Path> old;
        try (Stream<Path> all = Files.walk(folder)) {
          old = all.filter(file -> file.toString().endsWith(".class")).toList();
        }
        for (Path file : old) {
          raise(file, files);
        }
      }
    }
  }

  private static void raise(Path file, ClassFile files) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    ClassModel model = files.parse(bytes);
    if (model.majorVersion() >= FIRST_WITH_STACK_MAPS) {
      return;
    }
    FileTime time = Files.getLastModifiedTime(file);
    ClassTransform version =
        (builder, element) -> {
          if (element instanceof ClassFileVersion) {
            builder.withVersion(ClassFile.JAVA_8_VERSION, 0);
          } else {
            builder.with(element);
          }
        };
    // the code goes through a builder, too, which is what computes the stack maps
    ClassTransform code = ClassTransform.transformingMethodBodies((builder, e) -> builder.with(e));
    Files.write(file, files.transformClass(model, version.andThen(code)));
    Files.setLastModifiedTime(file, time);
  }

  /** Of a library that is on a class path anyway, with all that it needs. */
  private static void forgetFolders(Path jar) throws IOException {
    try (FileSystem zip = FileSystems.newFileSystem(jar)) {
      Path file = zip.getPath(JarFile.MANIFEST_NAME);
      Manifest manifest = read(file);
      String classPath = manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
      if (classPath == null || Stream.of(classPath.split(" +")).noneMatch(FinishJar::isFolder)) {
        return;
      }
      manifest.getMainAttributes().remove(Attributes.Name.CLASS_PATH);
      try (OutputStream out = Files.newOutputStream(file)) {
        manifest.write(out);
      }
    }
  }

  private static Manifest read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return new Manifest();
    }
    try (InputStream in = Files.newInputStream(file)) {
      return new Manifest(in);
    }
  }

  private static boolean isFolder(String entry) {
    return entry.equals(".") || entry.endsWith("/");
  }

  /** The build id of a finished jar. */
  static String idOf(Path jar) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(jar.toFile(), "r")) {
      byte[] id = new byte[ID_LENGTH];
      file.seek(file.length() - ID_LENGTH);
      file.readFully(id);
      return new String(id, StandardCharsets.US_ASCII);
    }
  }

  private static void label(Path jar) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(jar.toFile(), "rw")) {
      file.seek(Math.max(0, file.length() - END_LENGTH));
      if (file.readInt() != END_OF_DIRECTORY) {
        return; // it has a comment
      }
      byte[] id = digest(jar).getBytes(StandardCharsets.US_ASCII);
      file.seek(file.length() - Short.BYTES);
      file.write(ByteBuffer.allocate(Short.BYTES).put((byte) id.length).put((byte) 0).array());
      file.write(id);
    }
  }

  private static String digest(Path jar) throws IOException {
    try (InputStream in = Files.newInputStream(jar)) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] buffer = new byte[1 << 16];
      for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
        digest.update(buffer, 0, read);
      }
      return HexFormat.of().formatHex(digest.digest()).substring(0, ID_LENGTH);
    } catch (NoSuchAlgorithmException e) {
      throw new UncheckedIOException(new IOException(e));
    }
  }
}
