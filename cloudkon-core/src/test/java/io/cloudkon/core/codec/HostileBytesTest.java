package io.cloudkon.core.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.google.protobuf.CodedOutputStream;
import com.sun.management.ThreadMXBean;
import io.cloudkon.core.model.Limits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The decoders give a value or a {@link MalformedMessageException}, whatever the bytes, at a
 * bounded cost in memory. {@code -Dcloudkon.fuzz.inputs=N} sets how many mutated inputs each of
 * them gets.
 */
final class HostileBytesTest {
  private static final int INPUTS = Integer.getInteger("cloudkon.fuzz.inputs", 520_000);
  private static final long SEED = Long.getLong("cloudkon.fuzz.seed", 20_261_120);

  /** Of one message of a megabyte. */
  private static final long MEMORY_BYTES = 100L << 20;

  private interface Decoder<T> {
    T decode(byte[] bytes) throws MalformedMessageException;
  }

  private interface Encoder<T> {
    byte[] encode(T value);
  }

  @Test
  void mutated_bundles_are_decoded_or_refused() {
    RandomMessages random = new RandomMessages(SEED);
    List<byte[]> corpus = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      corpus.add(BundleCodec.encode(random.bundle(i < 180 ? 3 : 20)));
    }
    assertSurvives(corpus, BundleCodec::decode, BundleCodec::encode);
  }

  @Test
  void mutated_results_are_decoded_or_refused() {
    RandomMessages random = new RandomMessages(SEED + 1);
    List<byte[]> corpus = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      corpus.add(ResultCodec.encode(random.results(i < 180 ? 3 : 20)));
    }
    assertSurvives(corpus, ResultCodec::decode, ResultCodec::encode);
  }

  private static <T> void assertSurvives(
      List<byte[]> corpus, Decoder<T> decoder, Encoder<T> encoder) {
    Mutator mutator = new Mutator(SEED, corpus);
    int decoded = 0;
    for (int i = 0; i < INPUTS; i++) {
      byte[] bytes = mutator.next();
      try {
        T value = decoder.decode(bytes);
        decoded++;
        byte[] again = encoder.encode(value);
        // not the same bytes: the environment is a map
        if (encoder.encode(decoder.decode(again)).length != again.length) {
          throw new AssertionError("what was decoded does not come back");
        }
      } catch (MalformedMessageException e) {
        if (!String.valueOf(e.getMessage()).startsWith("expected ")) {
          throw new AssertionError("no expectation is named", e);
        }
      } catch (Throwable e) {
        throw new AssertionError("input %d: %s".formatted(i, HexFormat.of().formatHex(bytes)), e);
      }
    }
    assertThat(decoded).as("some mutations are harmless").isGreaterThan(INPUTS / 100);
    assertThat(decoded).as("most are not").isLessThan(INPUTS);
  }

  static Stream<Arguments> bombs() throws IOException {
    return Stream.of(
        arguments("empty tasks", repeated(tag(11, 2), 0)),
        arguments("empty results", repeated(tag(14, 2), 0)),
        arguments("empty calls or dependencies", repeated(tag(15, 2), 0)),
        arguments("empty strings", repeated(tag(2, 2), 0)),
        arguments("empty inputs of one task", within(11, repeated(tag(11, 2), 0))),
        arguments("empty arguments", within(11, within(5, repeated(tag(1, 2), 0)))),
        arguments("empty variables", within(11, within(5, repeated(tag(3, 2), 0)))),
        arguments("empty ranks of one result", within(14, repeated(tag(15, 2), 0))),
        arguments("unknown fields", unknown()),
        arguments("unknown fields of a task", within(11, unknown())),
        arguments("open groups", repeated(tag(3, 3))),
        arguments("nested messages", nested()),
        arguments("lengths beyond the end", repeated(tag(11, 2), -1, -1, -1, -1, 7)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bombs")
  void megabyte_made_to_cost_memory_is_refused_cheaply(String what, byte[] bomb) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (Decoder<?> decoder : List.<Decoder<?>>of(BundleCodec::decode, ResultCodec::decode)) {
      long before = threads.getCurrentThreadAllocatedBytes();
      try {
        Object unused = decoder.decode(bomb);
        throw new AssertionError("decoded " + what);
      } catch (MalformedMessageException e) {
        assertThat(threads.getCurrentThreadAllocatedBytes() - before)
            .as("%s: %s", what, e.getMessage())
            .isLessThan(MEMORY_BYTES);
      }
    }
  }

  private static int tag(int field, int type) {
    return field << 3 | type;
  }

  private static byte[] repeated(int... pattern) {
    byte[] bytes = new byte[Limits.MESSAGE_BYTES - 64];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) pattern[i % pattern.length];
    }
    return java.util.Arrays.copyOf(bytes, bytes.length - bytes.length % pattern.length);
  }

  private static byte[] within(int field, byte[] content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.writeByteArray(field, content);
    out.flush();
    return bytes.toByteArray();
  }

  private static byte[] unknown() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    for (int field = 100; out.getTotalBytesWritten() < Limits.MESSAGE_BYTES - 64; field++) {
      out.writeInt32(field, 1);
    }
    out.flush();
    return bytes.toByteArray();
  }

  private static byte[] nested() throws IOException {
    byte[] content = new byte[0];
    while (content.length < 2000) {
      content = within(11, content);
    }
    return content;
  }
}
