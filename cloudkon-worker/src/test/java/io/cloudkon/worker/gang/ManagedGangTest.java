package io.cloudkon.worker.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.hpc.rmi.Address;
import io.cloudkon.hpc.rmi.RankEnd;
import io.cloudkon.hpc.rmi.Secrets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

class ManagedGangTest {
  private static final Map<String, List<Integer>> RANKS =
      Map.of("w0", List.of(0, 2), "w1", List.of(1, 3));
  private static final int CAPTURE = 8;

  private final ManagedGang gang = new ManagedGang("gang", "secret");

  @Test
  void ends_are_those_of_the_job_and_attempt_that_it_runs() {
    gang.ended(RankEnds.end("a", 1, 0, "SUCCEEDED"));
    assertThat(gang.ends("a")).isEmpty();
    gang.begins("a", 1, RANKS, CAPTURE);
    RankEnd end = RankEnds.end("a", 1, 1, "SUCCEEDED");

    gang.ended(end);
    gang.ended(RankEnds.end("a", 2, 2, "SUCCEEDED"));
    gang.ended(RankEnds.end("b", 1, 3, "SUCCEEDED"));

    assertThat(gang.ends("a")).containsExactly(Map.entry(1, end));
    assertThat(gang.ends("b")).isEmpty();
    gang.begins("a", 2, RANKS, CAPTURE);
    assertThat(gang.ends("a")).isEmpty();
  }

  @Test
  void first_word_about_a_rank_counts() {
    gang.begins("a", 1, RANKS, CAPTURE);
    RankEnd first = RankEnds.end("a", 1, 1, "FAILED");

    gang.ended(first);
    gang.ended(RankEnds.end("a", 1, 1, "SUCCEEDED"));

    assertThat(gang.ends("a")).containsExactly(Map.entry(1, first));
  }

  @Test
  void late_copy_of_an_end_never_stands_for_one_of_the_next_job() {
    gang.begins("a", 1, RANKS, CAPTURE);

    gang.begins(
        "b", 1, new During(RANKS, () -> gang.ended(RankEnds.end("a", 1, 1, "FAILED"))), CAPTURE);

    assertThat(gang.ends("b")).isEmpty();
    assertThat(gang.ends("a")).isEmpty();
  }

  /** Something happens while the gang looks at who has which rank. */
  private static final class During extends LinkedHashMap<String, List<Integer>> {
    private static final long serialVersionUID = 1L;
    private final transient Runnable what;

    During(Map<String, List<Integer>> ranks, Runnable what) {
      super(ranks);
      this.what = what;
    }

    @Override
    public void forEach(BiConsumer<? super String, ? super List<Integer>> each) {
      super.forEach(each);
      what.run();
    }
  }

  @Test
  void output_is_kept_whole_of_rank_0_and_of_the_first_that_failed_only() {
    byte[] said = {1, 2, 3, 4, 5, 6, 7, 8};
    gang.begins("a", 1, RANKS, CAPTURE);

    gang.ended(RankEnds.end("a", 1, 1, "SUCCEEDED", said));
    gang.ended(RankEnds.end("a", 1, 3, "TIMED_OUT", said));
    gang.ended(RankEnds.end("a", 1, 2, "FAILED", said));
    gang.ended(RankEnds.end("a", 1, 0, "SUCCEEDED", said));

    Map<Integer, RankEnd> ends = gang.ends("a");
    assertThat(ends.get(0).stdout()).hasSize(8);
    assertThat(ends.get(3).stderr()).hasSize(8);
    for (int cut : new int[] {1, 2}) {
      assertThat(ends.get(cut).stdout()).containsExactly(1, 2);
      assertThat(ends.get(cut).stderr()).containsExactly(1, 2);
      assertThat(ends.get(cut).output()).containsExactly(1, 2);
      assertThat(ends.get(cut).stdoutBytes()).isEqualTo(8);
    }
  }

  @Test
  void each_rank_is_found_where_its_worker_answers() {
    Address address = new Address("10.0.0.1", 4711);
    gang.registered("w1", address, "own");
    assertThat(gang.memberOf(1)).isNull();

    gang.begins("a", 1, RANKS, CAPTURE);

    assertThat(gang.memberOf(1)).isEqualTo(new ManagedGang.Member(address, "own"));
    assertThat(gang.memberOf(0)).isNull();
    assertThat(gang.memberOf(4)).isNull();
    assertThat(gang.member("w1").address()).isEqualTo(address);
    assertThat(gang.workers()).isEqualTo(Map.of(0, "w0", 1, "w1", 2, "w0", 3, "w1"));
    assertThat(gang.holds("w1", 3)).isTrue();
    assertThat(gang.holds("w1", 2)).isFalse();
    assertThat(gang.holds("w1", 4)).isFalse();
  }

  @Test
  void name_of_a_member_is_taken_by_whoever_registered_first() {
    Address address = new Address("127.0.0.1", 4711);
    Address elsewhere = new Address("127.0.0.1", 4712);

    assertThat(gang.registered("w1", address, "own")).isTrue();

    assertThat(gang.registered("w1", address, "own")).as("again").isTrue();
    assertThat(gang.registered("w1", elsewhere, "own")).isFalse();
    assertThat(gang.registered("w1", address, "another")).isFalse();
    assertThat(gang.member("w1").address()).isEqualTo(address);
  }

  @Test
  void name_of_the_manager_is_taken_from_the_start() {
    Secrets secrets = new Secrets();
    ManagedGang opened = ManagedGang.open("g", "me", secrets, new Address("127.0.0.1", 4711));

    assertThat(secrets.join("g", "me", "another", "")).isFalse();
    assertThat(secrets.join("g", "me", secrets.own("g"), "")).isTrue();
    assertThat(opened.secret).hasSize(43);
  }
}
