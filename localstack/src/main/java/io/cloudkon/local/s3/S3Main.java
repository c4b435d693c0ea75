package io.cloudkon.local.s3;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Runs S3Mock in this JVM until standard input ends, so that it never outlives the emulator,
 * however that ends. Its only argument is the folder to use, which it deletes at its end. It prints
 * a line that says whether S3 answers.
 */
public final class S3Main {
  /** The line that says that S3 answers on the folder's {@link #SOCKET}. */
  public static final String READY = "cloudkon-s3: answers";

  /** The prefix of the line that says that S3 does not start; the reason follows. */
  public static final String FAILED = "cloudkon-s3: does not start: ";

  /** The name of the Unix domain socket in the folder. */
  public static final String SOCKET = "s3.sock";

  private static final String S3MOCK = "com.adobe.testing.s3mock.S3MockApplication";

  private S3Main() {}

  /** Starts S3Mock and returns; its threads keep the JVM alive. */
  public static void main(String[] args) {
    Path folder = Path.of(args[0]);
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> PrivateFolder.delete(folder), "s3-clean-up"));
    Thread.ofPlatform().daemon().name("s3-standard-input").start(S3Main::endWithStandardInput);
    try {
      S3Options options = new S3Options(folder);
      Files.createDirectory(options.store());
      new UnixSocket(options.socket()).use(() -> launch(options.arguments()));
      if (!Files.exists(options.socket())) {
        throw new IllegalStateException("it does not listen on " + options.socket());
      }
      System.out.println(READY);
    } catch (Throwable e) {
      System.out.println(FAILED + deepestCause(e));
      System.exit(1);
    }
  }

  /** Calls S3Mock by name, because its jar cannot be compiled against. Returns when S3 answers. */
  private static void launch(String[] arguments) {
    try {
      Class.forName(S3MOCK)
          .getMethod("main", String[].class)
          .invoke(null, new Object[] {arguments});
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void endWithStandardInput() {
    try {
      System.in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      // a failure also counts as the end
    }
    System.exit(0);
  }

  private static Throwable deepestCause(Throwable e) {
    Throwable deepest = e;
    while (deepest.getCause() != null) {
      deepest = deepest.getCause();
    }
    return deepest;
  }
}
