package io.cloudkon.local;

import java.net.URISyntaxException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.function.Consumer;

/** S3Mock behind a relay that starts it on demand, because most runs never need it. */
final class S3Emulator implements AutoCloseable {
  private static final String JAR = "lib/cloudkon-local-s3.jar";

  private final S3Service service;
  private final Relay relay;

  private S3Emulator(S3Service service, Relay relay) {
    this.service = service;
    this.relay = relay;
  }

  /** Starts the relay on a port that is already bound. */
  static S3Emulator start(ServerSocketChannel listener, Access access, Consumer<String> tell) {
    return start(listener, access, jar(), tell);
  }

  static S3Emulator start(
      ServerSocketChannel listener, Access access, Path jar, Consumer<String> tell) {
    S3Service service = new S3Service(jar, tell);
    return new S3Emulator(
        service,
        Relay.start(
            "s3",
            listener,
            new Gate(access, Refused.XML),
            (client, begun) -> new S3Relay(client, begun, service)));
  }

  /** The jar in the folder of libraries next to the jar of this class. */
  private static Path jar() {
    try {
      return Path.of(S3Emulator.class.getProtectionDomain().getCodeSource().getLocation().toURI())
          .resolveSibling(JAR);
    } catch (URISyntaxException e) {
      throw new AssertionError("a class's location is a URI", e);
    }
  }

  int port() {
    return relay.port();
  }

  @Override
  public void close() {
    relay.close();
    service.close();
  }
}
