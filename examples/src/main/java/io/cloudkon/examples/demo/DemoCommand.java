package io.cloudkon.examples.demo;

import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.Terminal;
import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.error.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code demo}: all of CloudKon at once, on this machine. */
@Command(
    name = "demo",
    description = {
      "All of it at once on this machine: SQS and DynamoDB (embedded), a provisioner",
      "that launches workers when there is work, and a client. It computes a picture",
      "tile by tile, kills a worker half-way, then computes checksums of a directory",
      "tree, checks both, and waits until the workers have ended themselves. Once",
      "built, it needs no network and no AWS account, takes one to two minutes, and",
      "leaves nothing behind but its results."
    },
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 all of it is right, 1 something is not, 2 bad usage, 3 a process",
      "cannot be started, 130 interrupted.",
      "Examples:",
      "  cloudkon demo",
      "  cloudkon demo --out somewhere"
    })
public final class DemoCommand implements Callable<Integer> {
  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "For picture and results. Default: cloudkon-demo.")
  Path out = Path.of("cloudkon-demo");

  private volatile boolean interrupted;

  @Override
  public Integer call() throws Exception {
    if (Files.exists(out) && !Files.isDirectory(out)) {
      throw new UsageException("--out %s: this is no folder".formatted(out));
    }
    RunFolder.headerIn(out)
        .ifPresent(run -> {
          throw new UsageException(
              "--out %s: this is the folder of run '%s'; name another".formatted(out, run.run()));
        });
    RunFolder.requirePlace(out);
    Installation installation = Installation.ofThisProcess();
    Narrator narrator = new Narrator(System.out, Terminal.columns(System.getenv()).isPresent());
    try (TemporaryFolder temporary = new TemporaryFolder();
        DemoChildren children = new DemoChildren(Path.of("").toAbsolutePath())) {
      Thread hook =
          Thread.ofPlatform()
              .name("demo-interrupt")
              .unstarted(() -> interrupt(children, temporary, narrator));
      Runtime.getRuntime().addShutdownHook(hook);
      try {
        new Demo(installation, children, narrator, temporary.path()).run(out);
      } catch (RuntimeException | InterruptedException e) {
        if (interrupted) {
          // What fails now fails because of it. The hook has the last word.
          new CountDownLatch(1).await();
        }
        uninstall(hook);
        children.close();
        narrator.wipe();
        throw e;
      }
      uninstall(hook);
    }
    return ExitCodes.SUCCESS;
  }

  private static void uninstall(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // It runs by now, and does no harm: all that it ends is ended here as well.
      return;
    }
  }

  private void interrupt(DemoChildren children, TemporaryFolder temporary, Narrator narrator) {
    interrupted = true;
    children.close();
    temporary.close();
    narrator.wipe();
    System.err.println("cloudkon demo: ended early, and everything that it had started with it");
  }
}
