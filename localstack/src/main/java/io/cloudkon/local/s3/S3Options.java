package io.cloudkon.local.s3;

import java.nio.file.Path;

/** The options of S3Mock in {@code folder}, which is private to its process. */
record S3Options(Path folder) {

  /** The folder for buckets and objects. */
  Path store() {
    return folder.resolve("store");
  }

  /** The file to which S3Mock writes its port once it answers. */
  Path portFile() {
    return folder.resolve("port");
  }

  /**
   * The command line arguments of S3Mock. Its TLS port is used, with plain HTTP, because it is the
   * only port that an option can bind to an address; {@code s3.xml} binds the other port, which is
   * not needed.
   *
   * <p>Idle connections stay open for long, so that none is closed during a request. The rest of a
   * refused upload is read, so that its client receives the answer. S3Mock need not clean up at its
   * end, because its folder is deleted.
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
