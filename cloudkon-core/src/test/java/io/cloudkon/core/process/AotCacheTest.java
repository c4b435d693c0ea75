package io.cloudkon.core.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AotCacheTest {
  private static final String FOLDER = "cloudkon.caches";

  @TempDir Path temporary;
  private Path jar;
  private Path caches;
  private String name;

  @BeforeEach
  void jar() throws IOException {
    jar = Files.createDirectory(temporary.resolve("lib")).resolve("program.jar");
    caches = Files.createDirectory(temporary.resolve("caches"));
    Files.writeString(jar, "content and 0123456789abcdef");
    Files.setLastModifiedTime(jar, FileTime.from(Instant.ofEpochSecond(1_767_225_600)));
    name =
        "program.28.1767225600.0123456789abcdef.%s.aot"
            .formatted(System.getProperty("java.runtime.version"));
  }

  @AfterEach
  void forget() {
    System.clearProperty(FOLDER);
  }

  @Test
  void cache_beside_the_jar_is_found() throws IOException {
    Path cache = Files.createFile(jar.resolveSibling(name));

    assertThat(AotCache.options(jar)).startsWith("-XX:AOTCache=" + cache);
  }

  @Test
  void cache_in_the_folder_of_an_installation_s_user_is_found() throws IOException {
    Path cache = Files.createFile(caches.resolve(name));
    System.setProperty(FOLDER, caches.toString());

    assertThat(AotCache.options(jar)).startsWith("-XX:AOTCache=" + cache);
  }

  @Test
  void there_is_none_where_nobody_names_the_folder_and_none_of_another_build() throws IOException {
    Files.createFile(caches.resolve(name));
    assertThat(AotCache.options(jar)).isEmpty();

    System.setProperty(FOLDER, caches.toString());
    Files.writeString(jar, "another 0123456789abcdef");
    assertThat(AotCache.options(jar)).isEmpty();
  }
}
