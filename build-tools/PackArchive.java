import io.cloudkon.client.cli.ClientMain;
import io.cloudkon.provisioner.cli.ProvisionerCommand;
import io.cloudkon.worker.cli.WorkerCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipParameters;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * Packs what a user installs: launcher, jars, manual pages and shell completion, in the folders in
 * which shells and man look for them beside {@code bin}. The same sources give the same archive.
 *
 * <p>Usage: {@code PackArchive.java ROOT VERSION TIME ARCHIVE}; TIME is that of each entry. The
 * client's and the provisioner's jars are on the class path, and bring all that this needs.
 */
final class PackArchive {
  /** Of the launcher's commands, those that need the emulator, which must not be passed on. */
  private static final Set<String> LEFT_OUT = Set.of("demo", "local", "bench");

  /** Has all that the others need but little. */
  private static final String BASE_JAR = "cloudkon-client";

  private static final List<String> THIN_JARS = List.of("cloudkon-worker", "cloudkon-provisioner");

  private static final String NAME = "cloudkon";
  private static final String COMPLETION = "share/bash-completion/completions/" + NAME;
  private static final String MANUAL = "share/man/man1/";

  /** A line of the launcher's list of commands. */
  private static final Pattern COMMAND = Pattern.compile("^  ([a-z]+) {2,}(\\S.*)$");

  /** A row of the reference's table of exit codes; no other table there begins with a number. */
  private static final Pattern EXIT_CODE = Pattern.compile("\\| (\\d+) \\| (.+) \\|");

  /** The values of an option in the script for shells, and what the script says of them. */
  private static final Pattern VALUES =
      Pattern.compile("(?m)^( +local \\w+=\\()((?:\"[A-Z_0-9]+\" ?)+)(\\) # .* values)$");

  /** Jars hardly get smaller by more. */
  private static final int FAST = 1;

  private final Path root;
  private final String version;
  private final Instant time;
  private final Map<String, byte[]> texts = new TreeMap<>();

  private PackArchive(Path root, String version, Instant time) {
    this.root = root;
    this.version = version;
    this.time = time;
  }

  @Command(name = NAME)
  static final class AllCommands {}

  public static void main(String[] args) throws IOException {
    Path archive = Path.of(args[3]);
    PackArchive packing =
        new PackArchive(Path.of(args[0]).toRealPath(), args[1], Instant.parse(args[2]));
    packing.describe();
    Files.createDirectories(archive.getParent());
    Path part = archive.resolveSibling(archive.getFileName() + ".part");
    packing.write(part);
    Files.move(part, archive, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  // ---- what is made

  private void describe() throws IOException {
    Map<String, String> summaries = summaries();
    CommandLine all = new CommandLine(new AllCommands());
    summaries.keySet().forEach(name -> all.addSubcommand(name, command(name)));
    all.getSubcommands().values().forEach(command -> command.setUsageHelpWidth(200));
    texts.put("VERSION", bytes(version + "\n"));
    texts.put(COMPLETION, bytes(completion(all)));
    Set<String> pages = new TreeSet<>();
    summaries.forEach((name, what) -> page(all.getSubcommands().get(name), what, pages));
    manual(NAME, overview(summaries, pages));
  }

  /** The installed commands, as the launcher lists them: it is where their short words stand. */
  private Map<String, String> summaries() throws IOException {
    Map<String, String> summaries = new LinkedHashMap<>();
    for (String line : Files.readAllLines(root.resolve(NAME))) {
      Matcher command = COMMAND.matcher(line);
      if (command.matches() && !LEFT_OUT.contains(command.group(1))) {
        summaries.put(command.group(1), command.group(2));
      }
    }
    Set<String> expected = new TreeSet<>(ClientMain.commands());
    expected.removeAll(LEFT_OUT);
    if (!summaries.keySet().equals(expected)) {
      throw new IllegalStateException(
          "the launcher lists %s, ClientMain knows %s".formatted(summaries.keySet(), expected));
    }
    return summaries;
  }

  private static Object command(String name) {
    Object command =
        switch (name) {
          case "worker" -> new WorkerCommand();
          case "provisioner" -> new ProvisionerCommand();
          default -> ClientMain.command(name);
        };
    if (command == null) {
      throw new IllegalStateException("no jar has the command '%s'".formatted(name));
    }
    return command;
  }

  /** For bash, and for zsh by its bashcompinit. Values are written as people type them. */
  private static String completion(CommandLine all) {
    return VALUES
        .matcher(AutoComplete.bash(NAME, all))
        .replaceAll(found ->
            Matcher.quoteReplacement(
                found.group(1)
                    + found.group(2).toLowerCase(Locale.ROOT).replace('_', '-')
                    + found.group(3)));
  }

  /** The page of a command, and those of its own commands. */
  private void page(CommandLine command, String what, Set<String> pages) {
    String name = command.getCommandSpec().qualifiedName("-");
    Set<String> related =
        new TreeSet<>(Set.of(command.getParent().getCommandSpec().qualifiedName("-")));
    for (CommandLine sub : new LinkedHashSet<>(command.getSubcommands().values())) {
      String description = String.join(" ", sub.getCommandSpec().usageMessage().description());
      page(sub, description.replaceFirst("\\..*", ""), pages);
      related.add(sub.getCommandSpec().qualifiedName("-"));
    }
    manual(name, begin(name, what).of(command).seeAlso(related));
    pages.add(name);
  }

  private ManualPage begin(String name, String what) {
    return new ManualPage(name, time.toString().substring(0, 10), version, what);
  }

  /** The exit codes as the reference explains them. */
  private List<String[]> exitCodes() throws IOException {
    List<String[]> codes = new ArrayList<>();
    for (String line : Files.readAllLines(root.resolve("docs/reference.md"))) {
      Matcher code = EXIT_CODE.matcher(line);
      if (code.matches()) {
        String meaning = code.group(2).replace("`", "").replace("\\|", "|");
        codes.add(
            new String[] {
              code.group(1),
              meaning.substring(0, 1).toUpperCase(Locale.ROOT) + meaning.substring(1) + "."
            });
      }
    }
    if (codes.isEmpty()) {
      throw new IllegalStateException("docs/reference.md has no table of exit codes");
    }
    return codes;
  }

  private ManualPage overview(Map<String, String> summaries, Collection<String> pages)
      throws IOException {
    List<String[]> commands = new ArrayList<>();
    summaries.forEach((name, what) -> commands.add(new String[] {name, what}));
    return begin(NAME, "a job scheduler with no scheduler process")
        .section("SYNOPSIS", List.of("  cloudkon COMMAND [OPTIONS]", "  cloudkon COMMAND --help"))
        .section(
            "DESCRIPTION",
            List.of(
                "Clients put tasks into an SQS queue, workers take them out, DynamoDB sees to it"
                    + " that",
                "no two workers own the same tasks, S3 carries what is too large for a message,"
                    + " and",
                "results come back through a queue of the client's own. Without a cluster, run and",
                "client run tasks in their own process."))
        .terms("COMMANDS", commands)
        .terms(
            "ENVIRONMENT",
            List.of(
                new String[] {"JAVA_HOME", "Where a Java 25 or newer lies; else it is looked for."},
                new String[] {"JAVA_OPTS, CLOUDKON_JAVA_OPTS", "More options of the JVM."},
                new String[] {
                  "CLOUDKON_OPT_...",
                  "Options: CLOUDKON_OPT_RETRIES=2 is --retries 2, CLOUDKON_OPT_S=Q is -s Q."
                },
                new String[] {
                  "CLOUDKON_AOT=off", "Make and use no cache by which programs start faster."
                },
                new String[] {"CLOUDKON_DEBUG=1", "Add the stack trace to an error."},
                new String[] {
                  "AWS_REGION, AWS_PROFILE, ...",
                  "Region, credentials and endpoints, as any AWS SDK."
                }))
        .terms(
            "FILES",
            List.<String[]>of(
                new String[] {
                  "~/.cache/cloudkon/aot",
                  "Caches by which programs start faster, made in the background at first use for"
                      + " the Java that is there; below $XDG_CACHE_HOME where that is set. May be"
                      + " removed at any time."
                }))
        .terms("EXIT STATUS", exitCodes())
        .section(
            "EXAMPLES",
            List.of(
                "  cloudkon run -- gzip -9 {} ::: *.csv",
                "  cloudkon results RUN --failed",
                "  cloudkon setup -s Q && cloudkon worker -s Q"))
        .seeAlso(pages);
  }

  private void manual(String name, ManualPage page) {
    texts.put(MANUAL + name + ".1", bytes(page.toString()));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  // ---- what is packed

  private void write(Path archive) throws IOException {
    Map<String, Path> files = new TreeMap<>();
    files.put("bin/" + NAME, root.resolve(NAME));
    files.put("LICENSE", root.resolve("LICENSE"));
    files.put("README.md", root.resolve("distribution/README.md"));
    files.put("share/zsh/site-functions/_" + NAME, root.resolve("distribution/_" + NAME));
    files.put("lib/" + BASE_JAR + ".jar", built(BASE_JAR));
    for (String name : THIN_JARS) {
      Path thin = archive.resolveSibling("lib").resolve(name + ".jar");
      ThinJar.make(built(name), built(BASE_JAR), time, thin);
      files.put("lib/" + name + ".jar", thin);
    }
    Set<String> names = new TreeSet<>(files.keySet());
    names.addAll(texts.keySet());
    Set<String> folders = new TreeSet<>(Set.of(""));
    names.forEach(name -> parents(name, folders));
    GzipParameters gzip = new GzipParameters();
    gzip.setCompressionLevel(FAST);
    gzip.setModificationInstant(time);
    try (var out =
        new TarArchiveOutputStream(
            new GzipCompressorOutputStream(Files.newOutputStream(archive), gzip), "UTF-8")) {
      for (String folder : folders) {
        put(out, folder + "/", 0755, new byte[0]);
      }
      for (String name : names) {
        byte[] content =
            texts.containsKey(name) ? texts.get(name) : Files.readAllBytes(files.get(name));
        put(out, "/" + name, name.startsWith("bin/") ? 0755 : 0644, content);
      }
    }
  }

  private Path built(String jar) {
    return root.resolve(jar).resolve("target").resolve(jar + ".jar");
  }

  private static void parents(String name, Set<String> folders) {
    for (int end = name.indexOf('/'); end > 0; end = name.indexOf('/', end + 1)) {
      folders.add("/" + name.substring(0, end));
    }
  }

  private void put(TarArchiveOutputStream out, String name, int mode, byte[] content)
      throws IOException {
    TarArchiveEntry entry = new TarArchiveEntry(NAME + "-" + version + name);
    entry.setMode(mode | (name.endsWith("/") ? 040000 : 0100000));
    entry.setIds(0, 0);
    entry.setModTime(time.toEpochMilli());
    entry.setSize(content.length);
    out.putArchiveEntry(entry);
    out.write(content);
    out.closeArchiveEntry();
  }
}
