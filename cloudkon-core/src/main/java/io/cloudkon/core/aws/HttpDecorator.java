package io.cloudkon.core.aws;

import java.util.ServiceLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.http.SdkHttpClient;

/**
 * Stands between the SDK and the wire, and sees each attempt of each call to SQS, DynamoDB, S3 and
 * EC2. CloudKon's jars hold no implementation. One is used if it is on the class path of the
 * process and a {@link ServiceLoader} file names it, and only then: {@code java -jar} looks at no
 * other jars, and those of {@code --handlers} or of tasks are not on that class path. So tests of
 * real processes can inject faults, and a process that was started as usual cannot be told to.
 *
 * <p>Implementations are thread safe, public, and have a public constructor without parameters.
 * They are applied in {@link HttpClients} alone.
 */
@FunctionalInterface
public interface HttpDecorator {
  /** Leaves every client as it is. */
  HttpDecorator NONE = client -> client;

  /**
   * The client that the SDK is to use.
   *
   * @param client makes the attempts; closing what is returned closes it, too
   */
  SdkHttpClient around(SdkHttpClient client);

  /** All that are on the class path, one around the other; {@link #NONE} if there are none. */
  static HttpDecorator ofClassPath() {
    Logger log = LoggerFactory.getLogger(HttpDecorator.class);
    HttpDecorator all = NONE;
    // not by the thread's class loader, which may know the jars of others
    for (HttpDecorator found :
        ServiceLoader.load(HttpDecorator.class, HttpDecorator.class.getClassLoader())) {
      log.info("calls to AWS pass through {}", found.getClass().getName());
      HttpDecorator inner = all;
      all = client -> found.around(inner.around(client));
    }
    return all;
  }
}
