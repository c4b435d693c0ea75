package io.cloudkon.client.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random lines for {@code --shell}, which are given values that spell commands and run by the
 * shells of this machine. Where the line is taken, no shell may run what its values spell.
 */
class HostileValuesTest {
  private static final int LINES = 120;
  private static final List<String> SHELLS =
      Stream.of("sh", "dash", "bash").filter(HostileValuesTest::exists).toList();

  private static final List<String> VALUES =
      List.of(
          "a[$(touch ran)]", "`touch ran`", "\";touch ran;\"", "\\';touch ran;#", "\ntouch ran\n");

  @TempDir private Path folder;

  @Test
  void values_that_spell_commands_are_run_by_no_shell() throws Exception {
    long seed = 5;
    List<String> lines = new ArrayList<>();
    for (Lines generator = new Lines(new Random(seed)); lines.size() < LINES; ) {
      String line = generator.commands(3);
      if (line.contains("{}") && isTaken(line)) {
        lines.add(line);
      }
    }

    assertThat(run(lines)).as("lines of seed %d that ran a value", seed).isEmpty();
  }

  private static boolean isTaken(String line) {
    ShellPosition position = new ShellPosition();
    String[] texts = line.split("\\{}", -1);
    for (int i = 0; i < texts.length - 1; i++) {
      position.text(texts[i]);
      if (position.problem().isPresent()) {
        return false;
      }
      position.value();
    }
    return true;
  }

  /** One script runs them all, because a process for each from here takes seconds. */
  private List<String> run(List<String> lines) throws Exception {
    StringBuilder script = new StringBuilder();
    for (String shell : SHELLS) {
      for (int i = 0; i < lines.size(); i++) {
        for (String value : VALUES) {
          String line = lines.get(i).replace("{}", quoted(value));
          script
              .append("%s -c %s </dev/null >/dev/null 2>&1\n".formatted(shell, quoted(line)))
              .append("[ ! -e ran ] || { rm ran; echo %s %d; }\n".formatted(shell, i));
        }
      }
    }
    Path file = Files.writeString(folder.resolve("all.sh"), script);
    Process process =
        new ProcessBuilder("sh", file.toString())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(output).isZero();
    return output
        .lines()
        .map(ran -> ran.split(" "))
        .map(ran -> ran[0] + ": " + lines.get(Integer.parseInt(ran[1])))
        .distinct()
        .toList();
  }

  private static String quoted(String value) {
    return "'" + value.replace("'", "'\\''") + "'";
  }

  private static boolean exists(String shell) {
    return Stream.of("/bin", "/usr/bin").anyMatch(bin -> Files.isExecutable(Path.of(bin, shell)));
  }

  /** Generates lines of the grammar of shells. */
  private record Lines(Random random) {

    String commands(int depth) {
      if (depth == 0) {
        return "echo " + word(0);
      }
      String command = commands(depth - 1);
      String word = word(depth - 1);
      return pick(
          "echo " + word + " " + word(depth - 1),
          "echo " + word + " {}",
          "echo {} " + word,
          command + pick(";", "\n", " | cat;", " && ") + commands(depth - 1),
          "case " + word + " in " + pick("x", "(x", "*", "(*", "a|*") + ") " + command + ";; esac",
          pick("(", "( ", "((") + command + pick(")", " )", "))"),
          "[ " + word + " = {} ]; " + command,
          "[[ " + word + " -eq 1 ]]",
          "a[" + word + "]=1",
          "a=([" + word + "]=1)",
          "((" + word + "))",
          pick("cat <<E", "cat <<-E;") + "\n" + word + "\nE\n" + command,
          "cat <<<" + word,
          "if " + command + "; then " + commands(depth - 1) + "; fi",
          "echo " + word + pick(" #", "#") + pick("'", "a", "\"", ")") + "\n" + command,
          "{ " + command + "; }");
    }

    private String word(int depth) {
      if (depth == 0) {
        return pick("{}", "{}", "a", "1", "\"$y\"");
      }
      String word = word(depth - 1);
      String command = commands(depth - 1);
      return pick(
          "{}",
          word + word(depth - 1),
          "\"" + pick("", "'", "\\\"", "#", "it's", ")", "(") + word + "\"",
          "'" + pick("a", "it\\", "\"", ")", "`", "$(", "#", "]") + "'",
          "$(" + command + ")",
          "\"$(" + command + ")\"",
          "`" + command + "`",
          "$((" + word + "))",
          "$((" + word + ")*(" + word + "))",
          "$[" + word + "]",
          "${x" + pick(":-", "#", "%") + word + "}",
          "\"${x" + pick(":-", "#", "%") + word + "}\"",
          "${a[" + word + "]}",
          "$'" + pick("a", "\\'", "\\t", "it\\'s", "\\\\") + "'",
          "$\"" + word + "\"",
          "\\" + pick("$", "(", "'", "\"", "`", " ", "#", "\n", "{", "<") + word,
          pick("#", "{}#", "a#", "$#", "[", "]", "[a-z]", "a[", "{", "}", "'", "\"") + word);
    }

    private String pick(String... choices) {
      return choices[random.nextInt(choices.length)];
    }
  }
}
