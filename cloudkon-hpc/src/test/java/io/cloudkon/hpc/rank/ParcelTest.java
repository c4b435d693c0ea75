package io.cloudkon.hpc.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.CloudKonException;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ParcelTest {
  @Test
  void messages_come_out_as_they_went_in() {
    List<byte[]> messages = List.of(new byte[] {1, 2}, new byte[0], new byte[] {3});

    assertThat(Parcel.unpack(Parcel.pack(messages))).usingRecursiveComparison().isEqualTo(messages);
  }

  @Test
  void more_than_an_array_holds_is_refused_and_says_how_much() {
    List<byte[]> messages = Collections.nCopies(2048, new byte[1024 * 1024]);

    assertThatThrownBy(() -> Parcel.pack(messages))
        .isInstanceOf(CloudKonException.class)
        .hasMessageContainingAll("2048 messages", "2147491840 bytes", "in parts");
  }
}
