package io.cloudkon.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class BundleIdsTest {

  @Test
  void ids_name_run_epoch_sequence_and_children() {
    String bundle = BundleIds.of("run", "epoch", 12);

    assertThat(bundle).isEqualTo("run/epoch/12");
    assertThat(BundleIds.child(bundle, 0)).isEqualTo("run/epoch/12/0");
    assertThat(BundleIds.child(BundleIds.child(bundle, 0), 63)).isEqualTo("run/epoch/12/0/63");
  }

  @ParameterizedTest
  @CsvSource({"r/e/0,0,0", "r/e/12/3,1,12", "r/e/2147483647/3/4,2,2147483647"})
  void depth_and_sequence_are_those_of_the_id(String bundle, int depth, int sequence) {
    assertThat(BundleIds.depth(bundle)).isEqualTo(depth);
    assertThat(BundleIds.sequence(bundle)).isEqualTo(sequence);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "r", "r/e", "r/e/", "r/e/x", "r/e/-1", "r/e/2147483648", "//", "/"})
  void sequence_of_what_is_no_bundle_id_is_negative(String bundle) {
    assertThat(BundleIds.sequence(bundle)).isNegative();
  }

  @ParameterizedTest
  @CsvSource({"r/e/0,0,r/e/0/t0", "t/t1/12,4095,t/t1/12/t4095"})
  void claim_of_a_task_names_its_bundle_and_its_position(
      String bundle, int position, String claim) {
    assertThat(BundleIds.taskClaim(bundle, position)).isEqualTo(claim);
    assertThat(BundleIds.ofClaim(claim)).isEqualTo(bundle);
    assertThat(BundleIds.positionOfClaim(claim)).isEqualTo(position);
    assertThat(BundleIds.sequence(claim)).isEqualTo(BundleIds.sequence(bundle));
  }

  @ParameterizedTest
  @ValueSource(strings = {"r/e/0", "t/t/0", "r/t1/5", "r/e/12/3", "r/e/t1", ""})
  void claim_of_a_bundle_names_no_task(String claim) {
    assertThat(BundleIds.ofClaim(claim)).isEqualTo(claim);
    assertThat(BundleIds.positionOfClaim(claim)).isEqualTo(-1);
  }

  @Test
  void deepest_id_that_the_limits_allow_fits_its_limit() {
    String bundle =
        BundleIds.of("r".repeat(Limits.NAME_CHARS), "e".repeat(Limits.TOKEN_CHARS), 2147483647);
    for (int depth = 0; depth < Limits.SPLIT_DEPTH; depth++) {
      bundle = BundleIds.child(bundle, Limits.CHILDREN - 1);
    }

    assertThat(bundle.length()).isLessThanOrEqualTo(Limits.BUNDLE_ID_CHARS);
    assertThat(BundleIds.depth(bundle)).isEqualTo(Limits.SPLIT_DEPTH);
  }
}
