package io.cloudkon.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cloudkon.core.aws.HttpDecorator;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExecutableJarIT {

  /** CI's java is a 17 on purpose; on a machine where it is new enough, the program must start. */
  @ParameterizedTest
  @ValueSource(strings = {"cloudkon-client", "cloudkon-worker", "cloudkon-provisioner"})
  void jar_started_by_the_java_on_the_path_runs_or_says_in_one_line_which_it_needs(String module)
      throws Exception {
    boolean newEnough = featureOfJavaOnPath() >= 25;

    Started started =
        Started.of(List.of("java", "-jar", jar(module).toString(), "--help"), Map.of());

    assertThat(started.exitCode()).as(started.stderr()).isEqualTo(newEnough ? 0 : 2);
    if (!newEnough) {
      assertThat(started.stdout()).isEmpty();
      assertThat(started.stderr().lines())
          .singleElement()
          .asString()
          .startsWith("CloudKon needs Java 25 or newer; this is Java ");
    }
  }

  private static int featureOfJavaOnPath() throws Exception {
    String answer = Started.of(List.of("java", "-version"), Map.of()).stderr();
    Matcher version = Pattern.compile("version \"(?:1\\.)?(\\d+)").matcher(answer);
    assertThat(version.find()).as(answer).isTrue();
    return Integer.parseInt(version.group(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"cloudkon-client", "cloudkon-worker", "cloudkon-provisioner"})
  void main_class_is_one_that_java_8_can_load(String module) throws IOException {
    try (JarFile jar = new JarFile(jar(module).toFile());
        DataInputStream main =
            new DataInputStream(
                jar.getInputStream(jar.getEntry("io/cloudkon/launch/Main.class")))) {
      assertThat(jar.getManifest().getMainAttributes().getValue("Main-Class"))
          .isEqualTo("io.cloudkon.launch.Main");
      main.skipNBytes(6);
      assertThat(main.readUnsignedShort()).as("class file version").isEqualTo(52);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cloudkon-client", "cloudkon-worker", "cloudkon-provisioner"})
  void program_that_the_manifest_names_answers_help(String module) throws Exception {
    Started started =
        Started.of(List.of(Started.JAVA, "-jar", jar(module).toString(), "--help"), Map.of());

    assertThat(started.exitCode()).as(started.stderr()).isZero();
    assertThat(started.stdout()).contains("Usage:");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cloudkon-client", "cloudkon-worker", "cloudkon-provisioner"})
  void jar_holds_neither_signatures_nor_the_emulators(String module) throws IOException {
    try (JarFile jar = new JarFile(jar(module).toFile())) {
      assertThat(jar.stream().map(Object::toString))
          .noneMatch(name -> name.matches("META-INF/[^/]*\\.(SF|RSA|DSA)"))
          .noneMatch(
              name -> name.startsWith("com/amazonaws/") || name.startsWith("org/elasticmq/"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cloudkon-client", "cloudkon-worker", "cloudkon-provisioner"})
  void jar_holds_nothing_that_injects_faults(String module) throws IOException {
    List<String> listening = new ArrayList<>();
    try (JarFile jar = new JarFile(jar(module).toFile())) {
      assertThat(jar.stream().map(Object::toString))
          .doesNotContain("META-INF/services/" + HttpDecorator.class.getName())
          .noneMatch(name -> name.matches("io/cloudkon/core/.*(Fault|Unreliable|Misbehaviour).*"))
          .noneMatch(name -> name.matches("io/cloudkon/.*HaltPoint.*"));
      for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
        if (entry.getName().matches("io/cloudkon/.*[.]class")) {
          try (InputStream in = jar.getInputStream(entry)) {
            String constants = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
            if (constants.contains("CLOUDKON_FAULT") || constants.contains("cloudkon.fault")) {
              listening.add(entry.getName());
            }
          }
        }
      }
    }
    assertThat(listening).as("classes that know a variable or a property for faults").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"cloudkon-client", "cloudkon-worker", "cloudkon-provisioner"})
  void jar_says_which_versions_are_in_it(String module) throws IOException {
    try (JarFile jar = new JarFile(jar(module).toFile())) {
      JsonNode bill =
          new ObjectMapper()
              .readTree(jar.getInputStream(jar.getEntry("META-INF/sbom/application.cdx.json")));
      assertThat(bill.at("/bomFormat").asText()).isEqualTo("CycloneDX");
      List<String> parts = bill.findValuesAsText("purl");
      assertThat(parts).anyMatch(purl -> purl.startsWith("pkg:maven/com.google.protobuf/"));
      assertThat(parts).noneMatch(purl -> purl.contains("junit"));
      assertThat(jar.stream().map(Object::toString))
          .as("what scanners of jars read")
          .contains("META-INF/maven/com.fasterxml.jackson.core/jackson-databind/pom.properties");
    }
  }

  private static Path jar(String module) {
    return Started.HOME.resolve(module).resolve("target").resolve(module + ".jar");
  }
}
