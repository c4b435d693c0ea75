package io.cloudkon.core.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.model.CollectRule;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.TaskFiles;
import io.cloudkon.core.wire.WireCollect;
import io.cloudkon.core.wire.WireCollected;
import io.cloudkon.core.wire.WireContent;
import io.cloudkon.core.wire.WireFile;
import io.cloudkon.core.wire.WireTask;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FilesCodecTest {
  private static final WireContent CONTENT =
      WireContent.newBuilder().setSha256("a".repeat(64)).setBytes(1).build();

  @Test
  void absence_means_no_files_and_what_the_bundle_says() throws Exception {
    assertThat(FilesCodec.fromWire(WireTask.getDefaultInstance())).isEqualTo(TaskFiles.NONE);
    assertThat(FilesCodec.fromWire(WireCollect.getDefaultInstance())).isEqualTo(CollectRule.NONE);
  }

  @Test
  void no_patterns_of_a_task_are_not_the_bundles() throws Exception {
    WireTask wire = WireTask.newBuilder().setCollect(WireCollect.getDefaultInstance()).build();

    assertThat(FilesCodec.fromWire(wire).collect()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/etc/passwd", "../x", "a/../../x", "a//b", "./a", "a/", "a\0"})
  void path_that_is_none_below_the_directory_is_refused(String path) {
    assertRefused(task(file(path)));
  }

  @Test
  void path_that_comes_twice_is_refused() {
    assertRefused(task(file("a"), file("a")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/out/*", "../*", "[", "a\0"})
  void pattern_that_leads_out_is_refused(String pattern) {
    WireCollect collect = WireCollect.newBuilder().addPatterns(pattern).build();

    assertRefused(WireTask.newBuilder().setCollect(collect).build());
    assertThatThrownBy(() -> FilesCodec.fromWire(collect))
        .isInstanceOf(MalformedMessageException.class);
  }

  @Test
  void what_is_beyond_the_limits_is_refused() {
    assertRefused(task(Collections.nCopies(Limits.TASK_FILES + 1, file("a"))));
    assertRefused(task(file("a".repeat(Limits.TASK_FILES_BYTES)), file("b")));
    assertThatThrownBy(
            () -> FilesCodec.fromWire(WireCollect.newBuilder().setBytes(1L << 40).build()))
        .isInstanceOf(MalformedMessageException.class);
    assertThatThrownBy(() ->
            FilesCodec.fromWire(
                WireCollected.newBuilder().setKey("k".repeat(Limits.KEY_CHARS + 1)).build()))
        .isInstanceOf(MalformedMessageException.class);
  }

  private static WireFile file(String path) {
    return WireFile.newBuilder().setPath(path).setContent(CONTENT).build();
  }

  private static WireTask task(WireFile... files) {
    return task(List.of(files));
  }

  private static WireTask task(List<WireFile> files) {
    return WireTask.newBuilder().addAllFiles(files).build();
  }

  private static void assertRefused(WireTask wire) {
    assertThatThrownBy(() -> FilesCodec.fromWire(wire))
        .isInstanceOf(MalformedMessageException.class);
  }
}
