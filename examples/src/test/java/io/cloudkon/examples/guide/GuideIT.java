package io.cloudkon.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.examples.commands.Ended;
import io.cloudkon.examples.commands.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The commands of the README and of docs/guide work as they stand there, and print what is shown
 * there but for numbers, or with its numbers where the page says so. Each page has a shell and a
 * folder of its own; all share one emulator, which runs already when a page starts it.
 */
class GuideIT {
  /** The line of a client on a slow machine, where it is faster than the workers of the page. */
  private static final Pattern SLOW =
      Pattern.compile("^cloudkon client: no worker is alive; .*\\n", Pattern.MULTILINE);

  /** The reasons that a block may give for not being run. */
  private static final Set<String> REASONS =
      Set.of(
          "AWS",
          "DemoIT runs the demo, and mvn verify runs this test",
          "InstallationIT unpacks the archive and tries its commands",
          "ServeIT kills a client and does this",
          "SessionSnippetsTest compiles and runs it");

  /** What the commands printed, for those who write the pages. */
  private static final Path LOGS = Workspace.CHECKOUT.resolve("examples/target/guide");

  private static final String STATE = "state";

  @TempDir static Path shared;

  private final List<String> told = new ArrayList<>();
  private int ran;
  private int compared;

  static Stream<String> pages() throws IOException {
    try (Stream<Path> guide = Files.list(Workspace.CHECKOUT.resolve("docs/guide"))) {
      List<String> names = guide.map(page -> "docs/guide/" + page.getFileName()).sorted().toList();
      return Stream.concat(Stream.of("README.md"), names.stream());
    }
  }

  @BeforeAll
  static void startEmulator() throws Exception {
    local("--background");
  }

  @AfterAll
  static void stopEmulator() throws Exception {
    local("stop");
  }

  private static void local(String argument) throws Exception {
    Path folder = Files.createDirectories(shared.resolve("local" + argument));
    String command = "XDG_STATE_HOME='%s' ./cloudkon local %s\n";
    var unused =
        new Workspace(folder)
            .run(command.formatted(shared.resolve(STATE), argument))
            .requireSuccess();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void page_works_as_it_stands(String name, @TempDir Path folder) throws Exception {
    MarkdownPage page = MarkdownPage.read(name);
    Path log = Files.createDirectories(folder.resolve("log"));
    Path checkout = Files.createDirectories(folder.resolve("checkout"));
    ProcessBuilder process = new Workspace(checkout).process();
    process.environment().put("XDG_STATE_HOME", shared.resolve(STATE).toString());
    StringBuilder printed = new StringBuilder();
    try (PageShell shell = new PageShell(process, log)) {
      String last = "";
      for (Block block : page.blocks()) {
        last = follow(page, block, shell, last);
        printed.append(block.runs() ? last : "");
      }
    } finally {
      Files.createDirectories(LOGS);
      Files.writeString(LOGS.resolve(name.replace('/', '-') + ".txt"), printed);
    }
    System.out.printf(
        "guide: %s: %d blocks run, %d outputs compared, %d left out%s%n",
        name, ran, compared, told.size(), told.isEmpty() ? "" : " " + told);
  }

  /**
   * Runs a block or compares it.
   *
   * @param last what the block before it printed
   * @return what this one printed, or the same where it prints nothing
   */
  private String follow(MarkdownPage page, Block block, PageShell shell, String last)
      throws IOException, InterruptedException, TimeoutException {
    String place = "%s:%d".formatted(page.name(), block.line());
    if (block.notRun().isPresent()) {
      assertThat(REASONS).as("%s: why it is not run", place).contains(block.notRun().get());
      told.add("%d (%s)".formatted(block.line(), block.notRun().get()));
      return "";
    }
    Optional<String> missing = block.needs().filter(program -> !Workspace.has(program));
    if (missing.isPresent()) {
      told.add("%d (no %s here)".formatted(block.line(), missing.get()));
      return "";
    }
    return switch (block.kind()) {
      case COMMANDS -> run(place, block.text(), block.exitCode(), shell);
      case SESSION -> session(place, block, shell);
      case OUTPUT -> {
        if (block.exact()) {
          assertThat(PrintedText.isExactlyIn(last, block.text()))
              .as("%s shows:%n%s%nprinted was:%n%s", place, block.text(), last)
              .isTrue();
        }
        compare(place, block.text(), last);
        yield last;
      }
      case DRAWING, JAVA -> last;
      case UNKNOWN ->
          throw new AssertionError(
              place
                  + ": expected ```sh, ```console or ```text, or before it a comment"
                  + " <!-- not run: REASON -->");
    };
  }

  private String run(String place, String commands, int exitCode, PageShell shell)
      throws IOException, InterruptedException, TimeoutException {
    Ended ended = shell.run(commands);
    assertThat(ended.exitCode())
        .as("%s: %s%s", place, commands, ended.stdout())
        .isEqualTo(exitCode);
    ran++;
    return SLOW.matcher(ended.stdout()).replaceAll("");
  }

  private String session(String place, Block block, PageShell shell)
      throws IOException, InterruptedException, TimeoutException {
    StringBuilder printed = new StringBuilder();
    for (String part : block.text().split("(?m)^\\$ ")) {
      if (!part.isEmpty()) {
        int end = part.indexOf('\n') + 1;
        String output = run(place, part.substring(0, end), block.exitCode(), shell);
        compare(place, part.substring(end), output);
        printed.append(output);
      }
    }
    return printed.toString();
  }

  private void compare(String place, String shown, String printed) {
    assertThat(PrintedText.isIn(printed, shown))
        .as("%s shows:%n%s%nprinted was:%n%s", place, shown, printed)
        .isTrue();
    compared++;
  }
}
