package io.cloudkon.worker.execute.guard;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.core.model.TaskUsage;
import io.cloudkon.core.process.GroupLaunch;
import io.cloudkon.worker.execute.spawn.OutputSink;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A command behind a shell that waits for a word before it becomes the command. */
final class GatedProcess extends GuardedProcess {
  private static final Logger LOG = LoggerFactory.getLogger(GatedProcess.class);

  /** The bytes that fit into an empty pipe on every system, so that writing them cannot block. */
  private static final int FITS_A_PIPE = 2048;

  private static final int CHUNK = 16 * 1024;

  private final Process process;
  private final long group;
  private final CountDownLatch drained = new CountDownLatch(2);
  private volatile boolean begun;
  private volatile int forgotten;

  GatedProcess(GuardShells shells, Process process, long group, String mark) {
    super(shells, mark);
    this.process = process;
    this.group = group;
  }

  long group() {
    return group;
  }

  @Override
  public void begin(byte[] stdin, OutputSink out, OutputSink err, Executor pipes) {
    pipes.execute(() -> drain(process.getInputStream(), out));
    pipes.execute(() -> drain(process.getErrorStream(), err));
    go();
    if (stdin.length <= FITS_A_PIPE) {
      feed(stdin);
    } else {
      pipes.execute(() -> feed(stdin));
    }
  }

  /**
   * Opens the gate. If the process is dead already, its end shows it: the guard may have refused
   * it.
   */
  private void go() {
    begun = true;
    try {
      process.getOutputStream().write(GroupLaunch.GO.getBytes(UTF_8));
      process.getOutputStream().flush();
    } catch (IOException e) {
      LOG.debug("process group {} ended before it began", group, e);
    }
  }

  private void feed(byte[] stdin) {
    try (OutputStream out = process.getOutputStream()) {
      out.write(stdin);
    } catch (IOException e) {
      // a command may leave its input unread
    }
  }

  private void drain(InputStream in, OutputSink sink) {
    byte[] chunk = new byte[CHUNK];
    try {
      for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
        sink.take(chunk, n);
      }
    } catch (IOException e) {
      // the stream was closed after the command had ended: the output is what arrived so far
    } finally {
      sink.end();
      drained.countDown();
    }
  }

  @Override
  public boolean ends(long nanos) throws InterruptedException {
    return process.waitFor(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public boolean drains(long nanos) throws InterruptedException {
    return drained.await(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public int exitCode() {
    return process.exitValue();
  }

  @Override
  public boolean begun() {
    return begun;
  }

  @Override
  public TaskUsage usage() {
    return TaskUsage.NONE;
  }

  @Override
  public void kill() {
    shells().kill(this);
  }

  @Override
  public void release() {
    shells().release(this);
  }

  @Override
  long pid() {
    return process.pid();
  }

  @Override
  boolean hadLeft() {
    return !shells().stillServes(this) || shells().hadLeft(this);
  }

  /**
   * The count of {@link LeftGroups#forgotten()} at its release, which shows whether an answer was
   * lost.
   */
  int forgotten() {
    return forgotten;
  }

  void released(int forgottenSoFar) {
    forgotten = forgottenSoFar;
  }

  @Override
  void destroy() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  @Override
  public void close() {
    release();
    for (Closeable stream :
        List.of(process.getOutputStream(), process.getInputStream(), process.getErrorStream())) {
      try {
        stream.close();
      } catch (IOException e) {
        // unread input, which the command did not want
      }
    }
  }
}
