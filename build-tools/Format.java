import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Checks, or puts right, the format of every text file of the checkout: Java by google-java-format,
 * the others by three rules (no trailing blanks, no tabs, one newline at the end).
 *
 * <p>Usage: {@code Format.java check|fix ROOT PATHS}, PATHS being comma-separated files or folders
 * below ROOT. Exit code 1 where {@code check} finds something to do, or a file does not parse.
 */
final class Format {
  private static final Set<String> SKIPPED_FOLDERS =
      Set.of("target", ".git", ".idea", "node_modules");
  private static final Set<String> PLAIN =
      Set.of(
          "md", "xml", "proto", "sh", "yml", "yaml", "properties", "gitignore", "cloudkon", "run");

  private Format() {}

  public static void main(String[] args) throws IOException {
    boolean fix = args[0].equals("fix");
    Path root = Path.of(args[1]).toRealPath();
    List<Path> files = new ArrayList<>();
    for (String path : args[2].split(",")) {
      files.addAll(textFiles(root.resolve(path).normalize()));
    }
    List<String> findings =
        files.parallelStream().flatMap(file -> visit(root, file, fix).stream()).sorted().toList();
    findings.forEach(System.err::println);
    if (!findings.isEmpty()) {
      System.err.println(
          "Unformatted. Put it right with: mvn -q -pl build-tools -Pformat validate");
      System.exit(1);
    }
  }

  private static Optional<String> visit(Path root, Path file, boolean fix) {
    try {
      String before = Files.readString(file);
      String after = ending(file).equals("java") ? java(before) : plain(before);
      if (before.equals(after)) {
        return Optional.empty();
      }
      if (fix) {
        Files.writeString(file, after);
        return Optional.empty();
      }
      return Optional.of(
          root.relativize(file) + ":" + firstDifference(before, after) + ": not formatted");
    } catch (FormatterException e) {
      return Optional.of(root.relativize(file) + ": " + e.getMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(file.toString(), e);
    }
  }

  private static String java(String source) throws FormatterException {
    return new Formatter().formatSourceAndFixImports(source);
  }

  private static String plain(String text) {
    String clean = text.replace("\t", "  ").replaceAll("[ \r]+(?=\n|\\z)", "").stripTrailing();
    return clean.isEmpty() ? "" : clean + "\n";
  }

  private static int firstDifference(String before, String after) {
    int line = 1;
    for (int i = 0; i < Math.min(before.length(), after.length()); i++) {
      if (before.charAt(i) != after.charAt(i)) {
        return line;
      }
      line += before.charAt(i) == '\n' ? 1 : 0;
    }
    return line;
  }

  private static String ending(Path file) {
    String name = file.getFileName().toString();
    return name.substring(name.lastIndexOf('.') + 1);
  }

  private static List<Path> textFiles(Path start) throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        start,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return SKIPPED_FOLDERS.contains(String.valueOf(folder.getFileName()))
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            String ending = ending(file);
            if (attributes.isRegularFile() && (ending.equals("java") || PLAIN.contains(ending))) {
              found.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return found;
  }
}
