package io.cloudkon.simulator.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.simulator.load.ResultMessage;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SimBlobsTest {
  private final Lab lab = new Lab();
  private final SimBlobs blobs = new SimBlobs(lab.network, lab.watch);

  private static ResultMessage results(String bundle, int ordinal) {
    return new ResultMessage(
        Lab.request(bundle),
        "w1",
        2,
        1,
        "n1",
        new int[] {ordinal},
        new TaskStatus[] {TaskStatus.SUCCEEDED},
        new long[1],
        new long[1],
        new ResultMessage.Stamps(0, 0, 0, 0, 0, 0),
        64,
        "");
  }

  private void put(String key, ResultMessage results, boolean last) {
    Lab.Awaited<Boolean> answer = lab.new Awaited<>();
    blobs.put(lab.caller, key, results, last, answer);
    assertThat(answer.get()).isTrue();
  }

  private List<ResultMessage> list(String prefix) {
    Lab.Awaited<List<ResultMessage>> answer = lab.new Awaited<>();
    blobs.list(lab.caller, prefix, answer);
    return answer.get();
  }

  private Optional<ResultMessage> get(String key) {
    Lab.Awaited<Optional<ResultMessage>> answer = lab.new Awaited<>();
    blobs.get(lab.caller, key, answer);
    return answer.get();
  }

  private void removeAll(String prefix) {
    Lab.Awaited<Boolean> answer = lab.new Awaited<>();
    blobs.removeAll(lab.caller, prefix, answer);
    assertThat(answer.get()).isTrue();
  }

  @Test
  void object_is_got_by_its_whole_key() {
    ResultMessage one = results("r0/e/1", 1);
    put("r0/e/1/1", one, true);
    put("r0/e/1/10", results("r0/e/1", 10), true);

    assertThat(get("r0/e/1/1")).contains(one);
    assertThat(get("r0/e/1/")).isEmpty();
  }

  @Test
  void objects_are_found_by_how_their_keys_begin_in_order_of_their_keys() {
    ResultMessage one = results("r0/e/1", 1);
    ResultMessage two = results("r0/e/1", 2);
    put("r0/out/1/b", two, true);
    put("r0/out/1/a", one, true);
    put("r0/out/2/a", results("r0/e/2", 3), true);
    put("r1/out/1/a", results("r1/e/1", 4), true);

    assertThat(list("r0/out/1/")).containsExactly(one, two);
    assertThat(list("r0/")).hasSize(3);
    assertThat(list("r0/out/1/a")).containsExactly(one);
    assertThat(list("r2/")).isEmpty();
  }

  @Test
  void put_under_a_key_replaces_what_was_there() {
    ResultMessage again = results("r0/e/1", 1);
    put("r0/out/1", results("r0/e/1", 1), true);
    put("r0/out/1", again, true);

    assertThat(list("r0/")).hasSize(1).first().isSameAs(again);
    assertThat(blobs.left()).isEqualTo(1);
  }

  @Test
  void removal_takes_what_begins_so_and_leaves_the_rest() {
    put("r1/out/1", results("r1/e/1", 1), true);
    put("r10/out/1", results("r10/e/1", 1), true);

    removeAll("r1/");

    assertThat(list("r1/")).isEmpty();
    assertThat(list("r10/")).hasSize(1);
    assertThat(blobs.left()).isEqualTo(1);
  }

  @Test
  void what_is_stored_after_the_removal_is_left_to_expire() {
    removeAll("r1/");
    put("r1/out/1", results("r1/e/1", 1), true);
    put("r2/out/1", results("r2/e/1", 1), true);

    assertThat(list("r1/")).hasSize(1);
    assertThat(blobs.left()).isEqualTo(1);
    removeAll("r1/");
    assertThat(list("r1/")).isEmpty();
    assertThat(blobs.left()).isEqualTo(1);
  }

  @Test
  void what_no_client_knows_of_is_left_to_expire_and_so_is_what_still_comes() {
    put("r1/out/1", results("r1/e/1", 1), true);
    put("r2/out/1", results("r2/e/1", 1), true);

    blobs.leave("r1/");
    put("r1/out/2", results("r1/e/1", 2), true);

    assertThat(list("r1/")).hasSize(2);
    assertThat(blobs.left()).isEqualTo(1);
  }

  @Test
  void watch_is_told_of_results_that_no_message_will_name() {
    ResultMessage named = results("r0/e/1", 1);
    ResultMessage last = results("r0/e/1", 2);
    put("r0/out/1", named, false);
    put("r0/out/2", last, true);

    assertThat(lab.watch.stored).containsExactly(last);
  }

  @Test
  void every_call_is_billed_once() {
    put("r0/out/1", results("r0/e/1", 1), true);
    list("r0/");
    removeAll("r0/");

    assertThat(lab.counts.billed())
        .containsExactlyInAnyOrder(
            new ResultBatch.Calls("s3.PutObject", 1, 1),
            new ResultBatch.Calls("s3.ListObjectsV2", 1, 1),
            new ResultBatch.Calls("s3.DeleteObjects", 1, 1));
  }
}
