package io.cloudkon.core.aws;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Names;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ListQueuesResponse;

/**
 * Lists the clusters of an account in a region, for messages about a cluster that does not exist.
 * Stateless.
 */
final class ClusterNames {
  private static final int SHOWN = 8;

  /** Short, because the user waits for the message. */
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  /** Of 1,000 queues each. */
  private static final int MOST_PAGES = 5;

  private ClusterNames() {}

  /**
   * The list as the end of a message; empty if there are none, or they cannot be listed. Reads the
   * names of up to 5,000 queues, a call for each 1,000.
   */
  static String inWords(SqsClient sqs) {
    Set<String> queues;
    try {
      queues = queues(sqs);
    } catch (CloudKonException e) {
      return ""; // not everybody may list queues
    }
    Set<String> clusters =
        queues.stream()
            .filter(name -> queues.contains(Names.hpc(name)) && queues.contains(Names.dead(name)))
            .collect(Collectors.toCollection(TreeSet::new));
    if (clusters.isEmpty()) {
      return "";
    }
    String shown = clusters.stream().limit(SHOWN).collect(Collectors.joining(", "));
    return "; clusters here: " + shown + (clusters.size() > SHOWN ? ", …" : "");
  }

  private static Set<String> queues(SqsClient sqs) {
    Set<String> names = new HashSet<>();
    @Nullable String next = null;
    for (int page = 0; page == 0 || (next != null && page < MOST_PAGES); page++) {
      @Nullable String token = next;
      ListQueuesResponse listed =
          AwsCall.queue("ListQueues", "*")
              .make(() ->
                  sqs.listQueues(b ->
                      b.maxResults(1000)
                          .nextToken(token)
                          .overrideConfiguration(o -> o.apiCallTimeout(TIMEOUT))));
      listed.queueUrls().forEach(url -> names.add(url.substring(url.lastIndexOf('/') + 1)));
      next = listed.nextToken();
    }
    return names;
  }
}
