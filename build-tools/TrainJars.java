import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Makes the AOT caches of executable jars: the programs run once, on the emulator, while their JVM
 * records what they load (JEP 483 and 514). They run with C1 only: with profiles in the cache, C2
 * compiles in the first second what a short command never needs. What C1 compiled in a recording it
 * compiles again at once, whether it is needed or not, and for good (JEP 515). That suits the
 * client's commands for what is hot enough; the caches of programs that run for days have no such
 * data.
 *
 * <p>A cache lies beside its jar and is named by what it was made of: {@code
 * NAME.SIZE.TIME.ID.JAVA.aot}, with the jar's size in bytes, its time in epoch seconds, its build
 * id and the version of the Java runtime. The launcher and {@code AotCache} look for that name
 * only, as the JVM itself does not notice that a jar has changed. Where no cache can be made, a
 * warning says so and the build goes on: programs start without one, only more slowly.
 *
 * <p>The client's jar has a second cache, {@code ….local.aot}, for commands that call no service:
 * every class of a cache costs time at each start, and they need less than half of them.
 *
 * <p>Usage: {@code TrainJars.java ROOT emulator|client|provisioner}; {@code emulator} includes
 * S3Mock, and {@code client} the worker.
 */
final class TrainJars {
  private static final long LIMIT_SECONDS = 90;
  private static final long END_SECONDS = 20;
  private static final int REMOVALS = 10;
  private static final String QUEUE = "rehearsal";
  private static final String REHEARSAL = "io.cloudkon.core.rehearsal.Rehearsal";
  private static final String THEN = "--then";
  private static final String UNTIL_IDLE = "--exit-when-idle=3s";
  private static final String UNSAFE_WARNING_OFF = "--sun-misc-unsafe-memory-access=allow";
  private static final String S3_READY = "cloudkon-s3: answers";
  private static final List<String> QUICK =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m");

  /** Without it, the code that the recording has compiled would never be compiled by C2. */
  private static final List<String> FOR_DAYS =
      List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-AOTRecordTraining");

  /**
   * Ten times the default thresholds: by default, more than half of what is compiled is called too
   * seldom in a short command to be worth it.
   */
  private static final List<String> HOTTEST =
      List.of(
          "-XX:Tier3InvocationThreshold=2000",
          "-XX:Tier3MinInvocationThreshold=1000",
          "-XX:Tier3CompileThreshold=20000",
          "-XX:Tier3BackEdgeThreshold=600000");

  private final Path root;
  private final Path folder;
  private final List<Process> started = new ArrayList<>();
  private final Map<String, String> environment = new TreeMap<>();
  private boolean ended;

  private TrainJars(Path root, Path folder) {
    this.root = root;
    this.folder = folder;
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("cloudkon-rehearsal");
    TrainJars training = new TrainJars(Path.of(args[0]).toRealPath(), folder);
    Runtime.getRuntime().addShutdownHook(new Thread(training::endQuietly, "end-rehearsal"));
    try {
      switch (args[1]) {
        case "emulator" -> training.emulator();
        case "client" -> training.client();
        default -> training.provisioner();
      }
    } catch (IOException | RuntimeException e) {
      System.out.println("[WARNING] no AOT cache, programs start without: " + e.getMessage());
    } finally {
      training.end();
    }
  }

  private void emulator() throws IOException, InterruptedException {
    Path jar = emulatorJar();
    Recording emulator =
        record(
            jar,
            with(FOR_DAYS, UNSAFE_WARNING_OFF, "-jar", jar.toString()),
            List.of("--until-stdin-closes"));
    takeEnvironment(emulator.name, emulator.process);
    EmulatorCalls.sqs(environment);
    EmulatorCalls.dynamoDb(environment);
    emulator.process.outputWriter().close();
    emulator.finish();
    Path s3Jar = jar.resolveSibling("lib").resolve("cloudkon-local-s3.jar");
    Path store = Files.createDirectory(folder.resolve("s3"));
    Recording s3 =
        record(s3Jar, with(FOR_DAYS, "-jar", s3Jar.toString()), List.of(store.toString()));
    s3.await(S3_READY);
    EmulatorCalls.s3(store.resolve("s3.sock"));
    s3.process.outputWriter().close();
    s3.finish();
  }

  private void client() throws IOException, InterruptedException {
    Path tasks = Files.writeString(folder.resolve("tasks.txt"), "noop\nexec true\nsleep 1\n");
    Recording local = localCommands(tasks);
    try {
      clientAndWorker(tasks);
    } finally {
      local.finish();
    }
  }

  private void clientAndWorker(Path tasks) throws IOException, InterruptedException {
    boolean emulated = startEmulator();
    Path jobs = Files.writeString(folder.resolve("jobs.txt"), "noop\nexec true\nhpc 3 exec true\n");
    Path data = Files.createDirectory(folder.resolve("data"));
    Files.writeString(data.resolve("file"), "shipped\n");
    List<String> commands = new ArrayList<>();
    if (emulated) {
      commands.addAll(List.of("setup", "-s", QUEUE, THEN));
      commands.addAll(List.of("client", "-s", QUEUE, "-w", jobs.toString(), "--out", "q", THEN));
      commands.addAll(List.of("client", "-s", QUEUE, "-w", tasks.toString(), "--out", "s3"));
      commands.addAll(List.of("--ship", data.toString(), THEN));
      commands.addAll(List.of("status", "-s", QUEUE, THEN));
    }
    commands.addAll(
        List.of("client", "-s", "LOCAL", "-t", "2", "-w", tasks.toString(), "--out", "local"));
    Recording client = rehearse("", commands);
    if (emulated) {
      client.await("is ready");
      worker();
    }
    client.finish();
  }

  /**
   * Records a worker, beside another one that takes ranks only, so that calls between workers are
   * recorded as well as all other work.
   */
  private void worker() throws IOException, InterruptedException {
    Path jar = jar("cloudkon-worker");
    List<String> other = List.of("-s", QUEUE, "-t", "1", "--roles", "hpc", UNTIL_IDLE);
    Process unused = start("other", List.of("-jar", jar.toString()), other);
    record(jar, with(FOR_DAYS, "-jar", jar.toString()), List.of("-s", QUEUE, "-t", "2", UNTIL_IDLE))
        .finish();
  }

  /** Commands that call no service. */
  private Recording localCommands(Path tasks) throws IOException {
    List<String> commands = new ArrayList<>();
    commands.addAll(List.of("run", "-t", "2", "--out", "here", "--", "true", ":::", "1", "2"));
    commands.addAll(List.of(THEN, "client", "-s", "LOCAL", "-t", "2", "-w", tasks.toString()));
    commands.addAll(List.of("--out", "here2", THEN, "results", "here", THEN, "cat", "here"));
    commands.addAll(List.of(THEN, "client", "--help"));
    return rehearse(".local", commands);
  }

  private Recording rehearse(String kind, List<String> commands) throws IOException {
    Path jar = jar("cloudkon-client");
    String main = "io.cloudkon.client.cli.ClientMain";
    return record(jar, kind, with(HOTTEST, "-cp", jar.toString(), REHEARSAL, main), commands);
  }

  private void provisioner() throws IOException, InterruptedException {
    if (!startEmulator()) {
      return;
    }
    Path jar = jar("cloudkon-provisioner");
    String program = root.resolve("build-tools/SetUpCluster.java").toString();
    Process setup = start("setup", List.of("-cp", jar.toString(), program), List.of(QUEUE));
    if (!setup.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || setup.exitValue() != 0) {
      throw new IOException("the rehearsal's cluster was not set up: " + output("setup"));
    }
    Recording provisioner =
        record(
            jar,
            with(FOR_DAYS, "-jar", jar.toString()),
            List.of(
                "-s",
                QUEUE,
                "--launcher",
                "process",
                "--worker-command", // which is not run: the worker may not be built yet
                "true",
                "--max",
                "1",
                "--min",
                "1",
                "--dry-run",
                "--interval",
                "500ms"));
    provisioner.await("would launch");
    provisioner.stop();
    provisioner.finish();
  }

  private static List<String> with(List<String> options, String... program) {
    return Stream.concat(options.stream(), Stream.of(program)).toList();
  }

  // ---- processes

  /** False where the emulator is not built. */
  private boolean startEmulator() throws IOException, InterruptedException {
    Path jar = emulatorJar();
    if (!Files.isRegularFile(jar)) {
      System.out.println(
          "[WARNING] " + jar + " is not built, so no AOT cache is made of what calls AWS");
      return false;
    }
    List<String> program = new ArrayList<>();
    Path cache = jar.resolveSibling(keyed(jar, ""));
    if (Files.exists(cache)) {
      program.addAll(List.of("-XX:AOTCache=" + cache, "-Xlog:disable", "-Xlog:all=error:stderr"));
    }
    program.addAll(List.of(UNSAFE_WARNING_OFF, "-jar", jar.toString()));
    takeEnvironment("emulator", start("emulator", program, List.of("--until-stdin-closes")));
    return true;
  }

  private Path emulatorJar() {
    return root.resolve("localstack/target/cloudkon-local.jar");
  }

  /** Waits until an emulator answers, and makes what it printed everybody's environment. */
  private void takeEnvironment(String name, Process emulator)
      throws IOException, InterruptedException {
    await(name, emulator, "AWS_SECRET_ACCESS_KEY");
    output(name)
        .lines()
        .filter(line -> line.startsWith("export "))
        .map(line -> line.substring("export ".length()).split("=", 2))
        .forEach(pair -> environment.put(pair[0], pair[1]));
  }

  private Recording record(Path jar, List<String> program, List<String> arguments)
      throws IOException {
    return record(jar, "", program, arguments);
  }

  private Recording record(Path jar, String kind, List<String> program, List<String> arguments)
      throws IOException {
    String name = jar.getFileName().toString().replaceAll("\\.jar$", "") + kind;
    Path cache = folder.resolve(name + ".aot");
    List<String> command = new ArrayList<>();
    command.add("-XX:AOTCacheOutput=" + cache);
    command.addAll(List.of("-Xlog:disable", "-Xlog:all=error:stderr"));
    command.add("-Duser.home=" + folder); // nobody's settings
    command.addAll(program);
    return new Recording(
        name, jar.resolveSibling(keyed(jar, kind)), cache, start(name, command, arguments));
  }

  private Process start(String name, List<String> program, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(QUICK);
    command.addAll(program);
    command.addAll(arguments);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(name + ".log").toFile());
    builder
        .environment()
        .keySet()
        .removeIf(key -> key.matches("(AWS|CLOUDKON)_.*|_?JAVA(_TOOL)?_OPTIONS|JDK_JAVA_OPTIONS"));
    builder.environment().put("AWS_EC2_METADATA_DISABLED", "true");
    builder.environment().putAll(environment);
    synchronized (started) {
      if (ended) {
        throw new IOException(name + " is not started: the build is ending");
      }
      Process process = builder.start();
      started.add(process);
      return process;
    }
  }

  private void await(String name, Process process, String text)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (!output(name).contains(text)) {
      if (!process.isAlive() || System.nanoTime() > end) {
        throw new IOException(name + " did not write '" + text + "': " + output(name));
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private String output(String name) throws IOException {
    return Files.readString(folder.resolve(name + ".log"));
  }

  /** For a build that is interrupted; after a whole one there is nothing left. */
  private void endQuietly() {
    try {
      end();
    } catch (IOException | InterruptedException e) {
      System.out.println("[WARNING] " + folder + " could not be removed: " + e);
    }
  }

  private void end() throws IOException, InterruptedException {
    List<Process> left;
    synchronized (started) {
      ended = true;
      left = started.reversed().stream().filter(Process::isAlive).toList();
    }
    for (Process process : left) {
      process.destroy(); // an emulator removes its files
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        var unused = process.waitFor();
      }
    }
    removeFolder();
  }

  /**
   * If the build is interrupted, its own thread and the hook both do, so either may fail at first.
   */
  private void removeFolder() throws IOException {
    for (int attempt = 1; Files.exists(folder); attempt++) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      } catch (IOException | UncheckedIOException e) {
        if (attempt == REMOVALS) {
          throw new IOException(e);
        }
      }
    }
  }

  /** The name of a finished jar's cache of that kind. */
  private static String keyed(Path jar, String kind) throws IOException {
    return "%s.%s.%s.%s.%s%s.aot"
        .formatted(
            jar.getFileName().toString().replaceAll("\\.jar$", ""),
            Files.size(jar),
            Files.getLastModifiedTime(jar).to(TimeUnit.SECONDS),
            FinishJar.idOf(jar),
            System.getProperty("java.runtime.version"),
            kind);
  }

  private Path jar(String module) {
    return root.resolve(module).resolve("target").resolve(module + ".jar");
  }

  /** A program that is being recorded. */
  private final class Recording {
    private final String name;
    private final Path place;
    private final Path cache;
    private final Process process;

    Recording(String name, Path place, Path cache, Process process) {
      this.name = name;
      this.place = place;
      this.cache = cache;
      this.process = process;
    }

    void await(String text) throws IOException, InterruptedException {
      TrainJars.this.await(name, process, text);
    }

    /** By a signal: a program that runs until it is told to end. */
    void stop() {
      process.destroy();
    }

    /** Waits for its end, and puts its cache in its place, beside its jar. */
    void finish() throws IOException, InterruptedException {
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || !Files.exists(cache)) {
        throw new IOException(name + " left no cache: " + output(name));
      }
      Path part = place.resolveSibling(name + ".part");
      Files.copy(cache, part, StandardCopyOption.REPLACE_EXISTING);
      Files.move(part, place, StandardCopyOption.ATOMIC_MOVE);
    }
  }
}
