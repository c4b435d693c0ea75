package io.cloudkon.client.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.client.workload.TaskReader;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadFormat;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.SlotTimes;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RemainderTest {
  private static ByteArrayInputStream lines(String... lines) {
    return new ByteArrayInputStream(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
  }

  private static Workload workload(String... lines) {
    return Workload.open("-", lines(lines), WorkloadFormat.TEXT);
  }

  @Test
  void run_of_which_nothing_was_sent_says_what_its_lines_say() {
    try (Workload workload = workload("hpc 2 noop", "hpc 6 sleep 10", "sleep 100")) {
      RemainingWork left = Remainder.atFirst(workload);

      assertThat(left.jobs()).isEqualTo(2);
      assertThat(left.widestJob()).isEqualTo(6);
      assertThat(left.kinds()).containsExactlyInAnyOrder(Work.Kind.NOOP, Work.Kind.SLEEP);
      assertThat(left.times()).isEqualTo(new SlotTimes(100_000, 30_000));
    }
  }

  @Test
  void task_time_is_unknown_where_a_line_does_not_say_it_until_one_was_measured() {
    try (Workload workload = workload("sleep 100", "exec true")) {
      assertThat(Remainder.atFirst(workload).times()).isEqualTo(SlotTimes.UNKNOWN);
      assertThat(Remainder.of(workload, 3, new SentJobs(), new SlotTimes(1_234, 0)))
          .isEqualTo(new RemainingWork(3, 1_234, 0, 0, Set.of(Work.Kind.SLEEP, Work.Kind.EXEC)));
    }
  }

  @Test
  void tasks_that_do_nothing_take_no_longer_than_a_microsecond() {
    try (Workload workload = workload("noop")) {
      assertThat(Remainder.atFirst(workload).times().taskMicros()).isEqualTo(1);
    }
  }

  @Test
  void job_that_was_not_sent_is_left_until_its_result_is_there() {
    SentJobs jobs = new SentJobs();
    try (Workload workload = workload("hpc 2 noop", "hpc 6 noop", "hpc 6 noop")) {
      jobs.sent(6);
      jobs.finished(6);
      assertThat(Remainder.of(workload, 0, jobs, SlotTimes.UNKNOWN))
          .extracting(RemainingWork::jobs, RemainingWork::widestJob)
          .containsExactly(2L, 6);
      jobs.sent(6);
      jobs.finished(6);
      assertThat(Remainder.of(workload, 0, jobs, SlotTimes.UNKNOWN))
          .extracting(RemainingWork::jobs, RemainingWork::widestJob)
          .containsExactly(1L, 2);
      assertThat(jobs.outstanding()).isZero();
    }
  }

  @Test
  void stream_says_what_was_read_and_sent_of_it_so_far() {
    SentJobs jobs = new SentJobs();
    try (Workload stream =
            Workload.stream("-", lines("noop", "hpc 3 exec true"), WorkloadFormat.TEXT);
        TaskReader reader = stream.read()) {
      assertThat(Remainder.atFirst(stream)).isEqualTo(RemainingWork.UNKNOWN);
      assertThat(reader.next()).isNotNull();
      assertThat(Remainder.of(stream, 1, jobs, SlotTimes.UNKNOWN).kinds())
          .containsExactly(Work.Kind.NOOP);
      assertThat(reader.next()).isNotNull();
      jobs.sent(3);
      assertThat(Remainder.of(stream, 1, jobs, SlotTimes.UNKNOWN))
          .isEqualTo(new RemainingWork(1, 0, 1, 3, Set.of(Work.Kind.NOOP, Work.Kind.EXEC)));
    }
  }

  @Test
  void millions_of_jobs_are_counted_by_their_width() {
    SentJobs jobs = new SentJobs();
    for (int i = 0; i < 2_000_000; i++) {
      jobs.sent(1 + i % 4);
      if (i % 4 == 3) {
        jobs.finished(4);
      }
    }

    assertThat(jobs.left()).isEqualTo(Map.of(1, 500_000, 2, 500_000, 3, 500_000));
  }

  @Test
  void jobs_whose_width_an_older_journal_does_not_tell_leave_none_behind() {
    SentJobs jobs = new SentJobs();
    jobs.finished(1);
    jobs.finished(1);

    assertThat(jobs.leftOf(Map.of(8, 3))).isEqualTo(Map.of(8, 3));
    assertThat(jobs.leftOf(Map.of(8, 2))).isEmpty();
  }
}
