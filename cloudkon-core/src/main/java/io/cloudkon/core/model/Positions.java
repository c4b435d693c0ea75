package io.cloudkon.core.model;

import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/** An immutable set of task positions in one bundle, stored as a bitmap in the claim. */
public final class Positions {
  private static final Positions NONE = new Positions(new BitSet());

  private final BitSet bits;

  private Positions(BitSet bits) {
    this.bits = bits;
  }

  /** The empty set. */
  public static Positions none() {
    return NONE;
  }

  /** A copy of these bits. */
  public static Positions of(BitSet bits) {
    return bits.isEmpty() ? NONE : new Positions((BitSet) bits.clone());
  }

  /** The set of these positions. */
  public static Positions of(int... positions) {
    BitSet bits = new BitSet();
    for (int position : positions) {
      bits.set(position);
    }
    return of(bits);
  }

  /** All positions from {@code from}, inclusive, to {@code to}, exclusive. */
  public static Positions range(int from, int to) {
    BitSet bits = new BitSet(to);
    bits.set(from, to);
    return of(bits);
  }

  /** The set of a claim's bitmap: bit i of byte j is position 8j + i. */
  public static Positions fromBytes(byte[] bitmap) {
    return of(BitSet.valueOf(bitmap));
  }

  /** The bitmap; empty for the empty set. */
  public byte[] toBytes() {
    return bits.toByteArray();
  }

  /** A copy as a mutable bit set. */
  public BitSet toBits() {
    return (BitSet) bits.clone();
  }

  public boolean contains(int position) {
    return bits.get(position);
  }

  public boolean isEmpty() {
    return bits.isEmpty();
  }

  public int size() {
    return bits.cardinality();
  }

  /** The positions in ascending order. */
  public IntStream stream() {
    return bits.stream();
  }

  /** The union of this set and the other. */
  public Positions plus(Positions other) {
    BitSet union = toBits();
    union.or(other.bits);
    return of(union);
  }

  /** The positions in this set that are not in the other. */
  public Positions minus(Positions other) {
    BitSet rest = toBits();
    rest.andNot(other.bits);
    return of(rest);
  }

  /** The intersection of both sets. */
  public Positions common(Positions other) {
    BitSet both = toBits();
    both.and(other.bits);
    return of(both);
  }

  /** The first positions in ascending order; all of them if there are fewer. */
  public Positions first(int count) {
    return of(bits.stream().limit(count).toArray());
  }

  /** Whether every position of the other set is in this one. */
  public boolean containsAll(Positions other) {
    return other.minus(this).isEmpty();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Positions that && bits.equals(that.bits);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(toBytes());
  }

  @Override
  public String toString() {
    return bits.toString();
  }
}
