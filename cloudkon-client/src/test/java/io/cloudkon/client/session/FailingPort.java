package io.cloudkon.client.session;

import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.testing.Intercepted;

/** Clusters of which one method of one port always throws. */
final class FailingPort {
  private FailingPort() {}

  static Cluster ofResponses(Cluster whole, String method, Throwable why) {
    return Intercepted.responses(whole, failing(method, why));
  }

  static Cluster ofRuns(Cluster whole, String method, Throwable why) {
    return Intercepted.runs(whole, failing(method, why));
  }

  private static Intercepted.Way failing(String name, Throwable why) {
    return (method, arguments, call) -> {
      if (method.equals(name)) {
        throw why;
      }
      return call.make();
    };
  }
}
