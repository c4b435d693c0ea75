package io.cloudkon.local.s3;

import java.nio.file.Path;

/** The options of S3Mock in {@code folder}, which is private to its process. */
record S3Options(Path folder) {

  /** Where it keeps buckets and objects. */
  Path store() {
    return folder.resolve("store");
  }

  /** Where it writes its port, once it answers there. */
  Path portFile() {
    return folder.resolve("port");
  }

  /**
   * What S3Mock is started with. Its TLS port becomes the one that is used, in plain HTTP, as it is
   * the only one that can be bound to an address by an option; {@code s3.xml} does the other one,
   * which nobody needs.
   *
   * <p>Idle connections stay open for long, so that none is closed under a request, and the rest of
   * a refused upload is read, so that its client gets to see the answer. What S3Mock would clean up
   * at its end goes with the folder.
   */
  String[] arguments() {
    return new String[] {
      "--server.address=127.0.0.1",
      "--server.port=0",
      "--server.ssl.enabled=false",
      "--server.tomcat.connection-timeout=15m",
      "--server.tomcat.max-keep-alive-requests=-1",
      "--server.tomcat.max-swallow-size=-1",
      "--com.adobe.testing.s3mock.http-port=0",
      "--com.adobe.testing.s3mock.store.root=" + store(),
      "--cloudkon.port-file=" + portFile(),
      "--spring.main.sources=classpath:io/cloudkon/local/s3/s3.xml",
      "--spring.main.banner-mode=off",
      "--spring.main.register-shutdown-hook=false",
      "--logging.level.root=ERROR"
    };
  }
}
