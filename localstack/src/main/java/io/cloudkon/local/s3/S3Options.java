package io.cloudkon.local.s3;

import java.nio.file.Path;

/** The options of S3Mock in {@code folder}, which is private to its process. */
record S3Options(Path folder) {

  /** The folder for buckets and objects. */
  Path store() {
    return folder.resolve("store");
  }

  /** The socket on which S3Mock listens. */
  Path socket() {
    return folder.resolve(S3Main.SOCKET);
  }

  /**
   * The command line arguments of S3Mock. Its connector for TLS is used, with plain HTTP, because
   * the other one has no options; {@link UnixSocket} binds the one and removes the other.
   *
   * <p>Idle connections stay open for long, so that none is closed during a request. The rest of a
   * refused upload is read, so that its client receives the answer. As many connections may wait to
   * be accepted as the system allows: one above that fails at once on a Unix socket. S3Mock need
   * not clean up at its end, because its folder is deleted.
   */
  String[] arguments() {
    return new String[] {
      "--server.address=127.0.0.1", // not used, and no other machine's if it ever were
      "--server.port=0",
      "--server.ssl.enabled=false",
      "--server.tomcat.accept-count=4096",
      "--server.tomcat.connection-timeout=15m",
      "--server.tomcat.max-keep-alive-requests=-1",
      "--server.tomcat.max-swallow-size=-1",
      "--com.adobe.testing.s3mock.store.root=" + store(),
      "--spring.main.banner-mode=off",
      "--spring.main.register-shutdown-hook=false",
      "--logging.level.root=ERROR"
    };
  }
}
