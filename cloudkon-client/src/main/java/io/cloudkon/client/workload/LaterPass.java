package io.cloudkon.client.workload;

import io.cloudkon.core.error.CloudKonException;
import java.io.IOException;
import java.io.InputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A pass over tasks that the first pass has accepted. An invalid line, or a different digest at the
 * end of a whole pass, means that the workload has changed.
 */
final class LaterPass implements Pass {
  private final String name;
  private final @Nullable WorkloadSummary expected;
  private final MessageDigest digest = sha256();

  private LaterPass(String name, @Nullable WorkloadSummary expected) {
    this.name = name;
    this.expected = expected;
  }

  /** A reader of the whole workload, which compares the digest at the end. */
  static TaskReader whole(
      WorkloadSource source,
      WorkloadLimits limits,
      WorkloadFormat format,
      WorkloadSummary expected) {
    LaterPass pass = new LaterPass(source.name(), expected);
    InputStream in = new DigestInputStream(pass.open(source, 0), pass.digest);
    return new TaskReader(
        new LineReader(in, limits, 0, 1), limits, format, 0, new TaskDraft(true), pass);
  }

  /** A reader that begins at the start of a given line. */
  static TaskReader from(
      WorkloadSource source,
      WorkloadLimits limits,
      WorkloadFormat format,
      long offset,
      int ordinal,
      long line,
      boolean building) {
    LaterPass pass = new LaterPass(source.name(), null);
    LineReader lines = new LineReader(pass.open(source, offset), limits, offset, line);
    return new TaskReader(lines, limits, format, ordinal, new TaskDraft(building), pass);
  }

  private InputStream open(WorkloadSource source, long offset) {
    try {
      return source.again(offset);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  @Override
  public void format(WorkloadFormat format) {}

  @Override
  public void task(TaskDraft draft, long line, long offset) {}

  @Override
  public boolean mayWait() {
    return false;
  }

  @Override
  public void end(long bytes) {
    if (expected != null && !HexFormat.of().formatHex(digest.digest()).equals(expected.sha256())) {
      throw FileSource.changed(name, null);
    }
  }

  @Override
  public CloudKonException bad(long line, BadLineException e) {
    return e.isLackOfMemory() ? e.at(name, line) : FileSource.changed(name, e.at(name, line));
  }

  @Override
  public CloudKonException unreadable(IOException e) {
    return Sources.failed(name, e);
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  @Override
  public void close() {}
}
