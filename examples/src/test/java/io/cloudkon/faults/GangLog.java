package io.cloudkon.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a worker's machines of HPC jobs want done, read as it is logged. */
final class GangLog {
  private static final Pattern OPENED = Pattern.compile(" GangMachines: Open\\[gang=([^],]+)");
  private static final Pattern STARTED = Pattern.compile(" GangMachines: Start\\[");
  private static final Pattern GANG = Pattern.compile("[\\[ ]gang=([^],]+)");

  private final WorkerProcess worker;
  private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private final Set<String> own = new HashSet<>();
  private long read;
  private int come;
  private int starts;
  private String last = "";

  GangLog(WorkerProcess worker) {
    this.worker = worker;
  }

  WorkerProcess worker() {
    return worker;
  }

  /** The last line that was read. */
  String last() {
    return last;
  }

  /** Reads on; says whether the worker has come to this step. Of one step only. */
  boolean reaches(HpcStep step) {
    for (String next : more()) {
      if (step.effects().get(come).matcher(next).find()
          && !(step.role().subWorker() && ofItsOwn(next))) {
        come++;
      }
      if (come == step.effects().size()) {
        return true;
      }
    }
    return false;
  }

  /** Reads on; gives how often it has told sub-workers to start their ranks. */
  int starts() {
    more();
    return starts;
  }

  private boolean ofItsOwn(String effect) {
    Matcher gang = GANG.matcher(effect);
    return gang.find() && own.contains(gang.group(1));
  }

  /** Whole lines that have come since. */
  private List<String> more() {
    List<String> lines = new ArrayList<>();
    try (FileChannel file = FileChannel.open(worker.log())) {
      while (file.read(buffer.clear(), read) > 0) {
        read += buffer.position();
        buffer.flip();
        while (buffer.hasRemaining()) {
          byte next = buffer.get();
          if (next != '\n') {
            line.write(next);
            continue;
          }
          lines.add(line.toString(UTF_8));
          line.reset();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    lines.forEach(this::learn);
    return lines;
  }

  private void learn(String from) {
    last = from;
    Matcher opened = OPENED.matcher(from);
    if (opened.find()) {
      own.add(opened.group(1));
    }
    if (STARTED.matcher(from).find()) {
      starts++;
    }
  }
}
