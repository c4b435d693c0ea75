package io.cloudkon.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Rules for all shell scripts but the launcher, which must leave the user's variables alone. */
class ShellScriptsTest {
  /** A change to a folder that a variable or a command names, so that it may be relative. */
  private static final Pattern CHANGE = Pattern.compile("\\bcd (-P )?\"?\\$");

  @Test
  void script_that_changes_to_its_own_folder_forgets_the_search_path_of_cd() throws IOException {
    List<String> misled = new ArrayList<>();
    for (Path script : scripts()) {
      String text = Files.readString(script);
      if (CHANGE.matcher(text).find() && !text.contains("\nunset CDPATH")) {
        misled.add(Started.HOME.relativize(script).toString());
      }
    }
    assertThat(misled).isEmpty();
  }

  private static List<Path> scripts() throws IOException {
    List<Path> scripts = new ArrayList<>(List.of(Started.HOME.resolve(".ci/run")));
    Files.walkFileTree(
        Started.HOME,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            String name = folder.getFileName().toString();
            return name.equals("target") || name.equals(".git")
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".sh")) {
              scripts.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    assertThat(scripts).hasSizeGreaterThan(8);
    return scripts;
  }
}
