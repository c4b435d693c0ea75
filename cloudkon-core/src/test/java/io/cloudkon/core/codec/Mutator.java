package io.cloudkon.core.codec;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Spoils valid encodings, by seed. */
final class Mutator {
  private static final byte[][] VARINTS = {
    {0},
    {1},
    {0x7f},
    {(byte) 0xff, 0x01},
    {(byte) 0xff, (byte) 0xff, 0x03},
    {(byte) 0x80, (byte) 0x80, (byte) 0x80, 0x01},
    {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x07},
    {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x0f},
    {-1, -1, -1, -1, -1, -1, -1, -1, -1, 0x01},
    {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1},
  };

  private final SplittableRandom random;
  private final List<byte[]> corpus;

  Mutator(long seed, List<byte[]> corpus) {
    this.random = new SplittableRandom(seed);
    this.corpus = corpus;
  }

  /** The next spoiled one; a new array. */
  byte[] next() {
    byte[] bytes = pick().clone();
    for (int times = 1 + random.nextInt(4); times > 0; times--) {
      bytes = spoil(bytes);
    }
    return bytes;
  }

  private byte[] spoil(byte[] bytes) {
    if (bytes.length == 0) {
      return pick().clone();
    }
    int at = random.nextInt(bytes.length);
    int to = at + random.nextInt(bytes.length - at + 1);
    return switch (random.nextInt(9)) {
      case 0, 1 -> {
        bytes[at] ^= (byte) (1 << random.nextInt(8));
        yield bytes;
      }
      case 2 -> {
        bytes[at] = (byte) random.nextInt();
        yield bytes;
      }
      case 3 -> Arrays.copyOf(bytes, at);
      case 4 -> splice(bytes, at);
      case 5 -> join(bytes, at, new byte[0], to);
      case 6 -> join(bytes, at, VARINTS[random.nextInt(VARINTS.length)], at);
      case 7 -> join(bytes, at, VARINTS[random.nextInt(VARINTS.length)], at + 1);
      default -> join(bytes, to, Arrays.copyOfRange(bytes, at, to), to);
    };
  }

  /** The beginning of this one and the end of another. */
  private byte[] splice(byte[] bytes, int at) {
    byte[] other = pick();
    int from = random.nextInt(other.length);
    return join(bytes, at, Arrays.copyOfRange(other, from, other.length), bytes.length);
  }

  private static byte[] join(byte[] bytes, int end, byte[] middle, int from) {
    byte[] joined = new byte[end + middle.length + bytes.length - from];
    System.arraycopy(bytes, 0, joined, 0, end);
    System.arraycopy(middle, 0, joined, end, middle.length);
    System.arraycopy(bytes, from, joined, end + middle.length, bytes.length - from);
    return joined;
  }

  private byte[] pick() {
    return corpus.get(random.nextInt(corpus.size()));
  }
}
