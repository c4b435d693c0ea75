package io.cloudkon.core.aws;

import java.util.ServiceLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.http.SdkHttpClient;

/**
 * Sits between the SDK and the network, and sees each attempt of each call to SQS, DynamoDB, S3 and
 * EC2. CloudKon's jars contain no implementation. An implementation is used only if it is on the
 * class path of the process and a {@link ServiceLoader} file names it: {@code java -jar} uses no
 * other jars, and those of {@code --handlers} or of tasks are not on that class path. So tests of
 * real processes can inject faults, but nobody can inject faults into a normally started process.
 *
 * <p>Implementations are thread safe, public, and have a public constructor without parameters.
 * They are applied in {@link HttpClients} alone.
 */
@FunctionalInterface
public interface HttpDecorator {
  /** Does not change a client. */
  HttpDecorator NONE = client -> client;

  /**
   * The client that the SDK is to use.
   *
   * @param client makes the attempts; closing the returned client also closes it
   */
  SdkHttpClient around(SdkHttpClient client);

  /** All decorators on the class path, nested; {@link #NONE} if there are none. */
  static HttpDecorator ofClassPath() {
    Logger log = LoggerFactory.getLogger(HttpDecorator.class);
    HttpDecorator all = NONE;
    // not with the thread's class loader, which may contain jars of handlers
    for (HttpDecorator found :
        ServiceLoader.load(HttpDecorator.class, HttpDecorator.class.getClassLoader())) {
      log.info("calls to AWS pass through {}", found.getClass().getName());
      HttpDecorator inner = all;
      all = client -> found.around(inner.around(client));
    }
    return all;
  }
}
