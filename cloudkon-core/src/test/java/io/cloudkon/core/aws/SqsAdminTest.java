package io.cloudkon.core.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.CloudKonException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesRequest;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesResponse;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.SetQueueAttributesRequest;
import software.amazon.awssdk.services.sqs.model.SetQueueAttributesResponse;
import software.amazon.awssdk.services.sqs.model.SqsException;

/** What setup makes of a queue that exists, where an emulator has no such queue. */
final class SqsAdminTest {
  private final OneQueue queue = new OneQueue();

  /** A queue with attributes, which may not be changed by everybody. */
  private static final class OneQueue implements SqsClient {
    final Map<QueueAttributeName, String> attributes = new HashMap<>();
    boolean denied;

    @Override
    public String serviceName() {
      return "sqs";
    }

    @Override
    public GetQueueAttributesResponse getQueueAttributes(GetQueueAttributesRequest request) {
      return GetQueueAttributesResponse.builder().attributes(attributes).build();
    }

    @Override
    public SetQueueAttributesResponse setQueueAttributes(SetQueueAttributesRequest request) {
      if (denied) {
        throw (SqsException)
            SqsException.builder()
                .statusCode(403)
                .awsErrorDetails(AwsErrorDetails.builder().errorCode("AccessDenied").build())
                .build();
      }
      attributes.putAll(request.attributes());
      return SetQueueAttributesResponse.builder().build();
    }

    @Override
    public void close() {
      // holds nothing
    }
  }

  private void align() {
    new SqsAdmin(queue).align("Q", "http://localhost/Q");
  }

  @Test
  void queue_with_a_limit_of_256_KiB_is_raised_to_what_bundles_need() {
    queue.attributes.put(QueueAttributeName.MAXIMUM_MESSAGE_SIZE, "262144");

    align();

    assertThat(queue.attributes).containsEntry(QueueAttributeName.MAXIMUM_MESSAGE_SIZE, "1048576");
  }

  @Test
  void queue_whose_limit_may_not_be_raised_is_refused_with_both_numbers() {
    queue.attributes.put(QueueAttributeName.MAXIMUM_MESSAGE_SIZE, "262144");
    queue.denied = true;

    assertThatThrownBy(this::align)
        .isInstanceOf(CloudKonException.class)
        .hasMessageStartingWith(
            "queue 'Q' accepts messages of at most 262144 bytes, but bundles need 1048576, and the"
                + " limit cannot be raised: sqs:SetQueueAttributes on queue 'Q' was denied");
  }

  @Test
  void queue_that_names_no_limit_or_a_large_one_is_left_as_it_is() {
    queue.denied = true;
    align();

    queue.attributes.put(QueueAttributeName.MAXIMUM_MESSAGE_SIZE, "1048576");
    align();
  }
}
