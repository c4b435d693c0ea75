package io.cloudkon.worker.execute.guard;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cloudkon.worker.execute.spawn.Spawner;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GroupRegisterTest {
  @BeforeEach
  void here() {
    assumeTrue(Spawner.ofThisMachine().isPresent(), "commands cannot be spawned here");
  }

  @Test
  void file_has_a_word_for_each_place_at_any_time() throws IOException {
    try (GroupRegister register = new GroupRegister()) {
      int one = register.take();
      int two = register.take();
      register.announce(one);
      register.announce(two);
      register.enter(two, 4_194_303);
      assertThat(words(register)).containsExactly("live", "new", "4194303");

      register.enter(one, 7);
      register.free(two);
      assertThat(words(register)).containsExactly("live", "7");
      assertThat(register.take()).isEqualTo(two);
    }
  }

  @Test
  void first_word_is_the_guards() throws IOException {
    try (GroupRegister register = new GroupRegister()) {
      assertThat(register.isDead()).isFalse();
      say(register.path(), "dead\n");
      assertThat(register.isDead()).isTrue();
      say(register.path(), "live\n");
      assertThat(register.isDead()).isFalse();
    }
  }

  @Test
  void what_starts_after_the_end_is_dead() throws IOException {
    GroupRegister register = new GroupRegister();
    register.close();
    assertThat(register.isDead()).isTrue();
    register.free(register.take());
  }

  @Test
  void full_register_has_no_place_until_one_is_freed() throws IOException {
    try (GroupRegister register = new GroupRegister()) {
      int last = 0;
      for (int place = register.take(); place != 0; place = register.take()) {
        last = place;
      }
      assertThat(last).isEqualTo(8192);
      register.free(17);
      assertThat(register.take()).isEqualTo(17);
      assertThat(register.take()).isZero();
    }
  }

  private static String[] words(GroupRegister register) throws IOException {
    return Files.readString(register.path(), US_ASCII).strip().split("\\s+");
  }

  private static void say(Path file, String word) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      assertThat(channel.write(ByteBuffer.wrap(word.getBytes(US_ASCII)))).isEqualTo(5);
    }
  }
}
