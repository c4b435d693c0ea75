package io.cloudkon.core.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Names;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ListQueuesRequest;
import software.amazon.awssdk.services.sqs.model.ListQueuesResponse;
import software.amazon.awssdk.services.sqs.model.SqsException;

/** Which queues of an account are clusters, in an account of any size. */
final class ClusterNamesTest {
  private final Account account = new Account();

  /** An account with these queues, which it lists page by page. */
  private static final class Account implements SqsClient {
    final List<String> queues = new ArrayList<>();
    boolean denied;
    int calls;

    void cluster(String name) {
      queues.addAll(List.of(name, Names.hpc(name), Names.dead(name)));
    }

    @Override
    public String serviceName() {
      return "sqs";
    }

    @Override
    public ListQueuesResponse listQueues(ListQueuesRequest request) {
      calls++;
      if (denied) {
        throw (SqsException) SqsException.builder().statusCode(403).build();
      }
      int from = request.nextToken() == null ? 0 : Integer.parseInt(request.nextToken());
      int to = Math.min(queues.size(), from + request.maxResults());
      return ListQueuesResponse.builder()
          .queueUrls(
              queues.subList(from, to).stream().map(name -> "https://sqs/123/" + name).toList())
          .nextToken(to < queues.size() ? "" + to : null)
          .build();
    }

    @Override
    public void close() {
      // holds nothing
    }
  }

  private String inWords() {
    return ClusterNames.inWords(account);
  }

  @Test
  void only_queues_with_those_of_a_cluster_beside_them_are_named() {
    account.cluster("nightly");
    account.cluster("a");
    account.queues.add("orders");

    assertThat(inWords()).isEqualTo("; clusters here: a, nightly");
  }

  @Test
  void cluster_behind_thousands_of_other_queues_is_found() {
    for (int i = 0; i < 2_500; i++) {
      account.queues.add("orders" + i);
    }
    account.cluster("z");

    assertThat(inWords()).isEqualTo("; clusters here: z");
    assertThat(account.calls).isEqualTo(3);
  }

  @Test
  void account_with_endless_queues_costs_five_calls() {
    for (int i = 0; i < 9_000; i++) {
      account.queues.add("orders" + i);
    }

    assertThat(inWords()).isEmpty();
    assertThat(account.calls).isEqualTo(5);
  }

  @Test
  void of_many_clusters_eight_are_named() {
    for (char name = 'a'; name <= 'k'; name++) {
      account.cluster("" + name);
    }

    assertThat(inWords()).isEqualTo("; clusters here: a, b, c, d, e, f, g, h, …");
  }

  @Test
  void nothing_is_said_if_there_are_none_or_nobody_may_know() {
    assertThat(inWords()).isEmpty();

    account.cluster("a");
    account.denied = true;
    assertThat(inWords()).isEmpty();
  }
}
