package io.cloudkon.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class PositionsTest {

  @Test
  void bitmap_has_bit_i_of_byte_j_for_position_8j_plus_i() {
    assertThat(Positions.of(0, 9, 23).toBytes()).containsExactly(0b1, 0b10, 0b1000_0000);
    assertThat(Positions.fromBytes(new byte[] {0b1, 0b10, (byte) 0b1000_0000}))
        .isEqualTo(Positions.of(0, 9, 23));
  }

  @Test
  void bitmap_of_none_is_empty_and_trailing_zeros_do_not_count() {
    assertThat(Positions.none().toBytes()).isEmpty();
    assertThat(Positions.fromBytes(new byte[0])).isEqualTo(Positions.none());
    assertThat(Positions.fromBytes(new byte[100]).isEmpty()).isTrue();
    assertThat(Positions.fromBytes(new byte[] {4, 0, 0})).isEqualTo(Positions.of(2));
  }

  @Test
  void bitmap_of_a_full_bundle_has_512_bytes() {
    Positions all = Positions.range(0, Limits.TASKS_PER_BUNDLE);

    assertThat(all.toBytes()).hasSize(512).containsOnly(0xff);
    assertThat(Positions.fromBytes(all.toBytes())).isEqualTo(all);
  }

  @Test
  void random_bitmaps_come_back() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 1000; i++) {
      byte[] bytes = new byte[random.nextInt(513)];
      random.nextBytes(bytes);
      Positions positions = Positions.fromBytes(bytes);

      assertThat(Positions.fromBytes(positions.toBytes())).isEqualTo(positions);
      assertThat(positions.stream()).hasSize(positions.size()).allMatch(positions::contains);
    }
  }

  @Test
  void range_is_from_its_begin_to_before_its_end() {
    assertThat(Positions.range(3, 6)).isEqualTo(Positions.of(3, 4, 5));
    assertThat(Positions.range(3, 3)).isEqualTo(Positions.none());
  }

  @Test
  void plus_minus_and_common_are_union_difference_and_intersection() {
    Positions some = Positions.of(1, 2, 3);
    Positions others = Positions.of(3, 4);

    assertThat(some.plus(others)).isEqualTo(Positions.of(1, 2, 3, 4));
    assertThat(some.minus(others)).isEqualTo(Positions.of(1, 2));
    assertThat(some.minus(some)).isEqualTo(Positions.none());
    assertThat(some.common(others)).isEqualTo(Positions.of(3));
    assertThat(some.common(Positions.of(4, 5))).isEqualTo(Positions.none());
    assertThat(some).isEqualTo(Positions.of(1, 2, 3));
  }

  @Test
  void contains_all_holds_for_every_subset() {
    assertThat(Positions.of(1, 2).containsAll(Positions.of(2))).isTrue();
    assertThat(Positions.of(1, 2).containsAll(Positions.none())).isTrue();
    assertThat(Positions.of(1, 2).containsAll(Positions.of(2, 3))).isFalse();
    assertThat(Positions.none().containsAll(Positions.of(4000))).isFalse();
  }

  @Test
  void bits_are_copied_in_and_out() {
    BitSet bits = new BitSet();
    bits.set(5);
    Positions positions = Positions.of(bits);
    bits.set(6);
    positions.toBits().set(7);

    assertThat(positions).isEqualTo(Positions.of(5));
  }

  @Test
  void equal_sets_are_equal_however_they_were_made() {
    Positions made = Positions.of(1, 4000).minus(Positions.of(4000));

    assertThat(made).isEqualTo(Positions.of(1)).hasSameHashCodeAs(Positions.of(1));
    assertThat(made).hasToString("{1}");
  }
}
