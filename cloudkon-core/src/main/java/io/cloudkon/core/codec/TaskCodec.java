package io.cloudkon.core.codec;

import static io.cloudkon.core.codec.MalformedMessageException.check;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnsafeByteOperations;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.wire.WireExec;
import io.cloudkon.core.wire.WireJava;
import io.cloudkon.core.wire.WireKind;
import io.cloudkon.core.wire.WireNoop;
import io.cloudkon.core.wire.WireStored;
import io.cloudkon.core.wire.WireTask;
import java.io.IOException;

/** Encodes and decodes a task. */
final class TaskCodec {
  private static final WireNoop NOOP = WireNoop.getDefaultInstance();

  private static final WireTask PLAIN_NOOP = WireTask.newBuilder().setNoop(NOOP).build();

  private TaskCodec() {}

  static WireTask toWire(Task task, int expectedOrdinal) {
    boolean defaultId = Ids.isDefault(task.id(), task.ordinal());
    int skip = task.ordinal() - expectedOrdinal;
    boolean plain =
        task.timeoutMillis() == 0
            && task.retries() <= 0
            && task.tried() == 0
            && task.files().isEmpty();
    if (skip == 0 && defaultId && plain && task.work() instanceof Work.Noop) {
      return PLAIN_NOOP;
    }
    WireTask.Builder wire = WireTask.newBuilder().setSkip(skip);
    if (!defaultId) {
      wire.setId(task.id());
    }
    wire.setTimeoutMillis(task.timeoutMillis());
    wire.setRetries(Math.max(0, task.retries()));
    wire.setTried(task.tried());
    FilesCodec.toWire(task.files(), wire);
    work(wire, task.work());
    return wire.build();
  }

  /** Encodes the work alone, in the form for the blob store: the same bytes for the same work. */
  static byte[] encodeWork(Work work) {
    WireTask.Builder builder = WireTask.newBuilder();
    work(builder, work);
    WireTask wire = builder.build();
    byte[] bytes = new byte[wire.getSerializedSize()];
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    // Sorted, because a map has no defined order and the hash of the content must be reproducible.
    out.useDeterministicSerialization();
    try {
      wire.writeTo(out);
    } catch (IOException e) {
      throw new IllegalStateException("an array of its size can be written", e);
    }
    return bytes;
  }

  private static void work(WireTask.Builder wire, Work work) {
    switch (work) {
      case Work.Hpc hpc -> {
        wire.setRanks(hpc.ranks()).setMpi(hpc.mpi());
        work(wire, hpc.each());
      }
      case Work.Noop noop -> wire.setNoop(NOOP);
      case Work.Sleep sleep -> wire.setSleepMillis(sleep.millis());
      case Work.Exec exec -> wire.setExec(toWire(exec));
      case Work.JavaCall java ->
          wire.setJava(
              WireJava.newBuilder().setHandler(java.handler()).addAllArgs(java.args()).build());
      case Work.Stored stored ->
          wire.setStored(
              WireStored.newBuilder()
                  .setKind(
                      stored.kind() == Work.Kind.JAVA ? WireKind.KIND_JAVA : WireKind.KIND_EXEC)
                  .setContent(Contents.toWire(stored.content())));
    }
  }

  private static WireExec toWire(Work.Exec exec) {
    WireExec.Builder wire =
        WireExec.newBuilder()
            .addAllArgv(exec.argv())
            .putAllEnvironment(exec.environment())
            .setStdin(UnsafeByteOperations.unsafeWrap(exec.stdin()));
    if (exec.directory() != null) {
      wire.setDirectory(exec.directory());
    }
    return wire.build();
  }

  static Task fromWire(WireTask wire, int ordinal) throws MalformedMessageException {
    check(
        wire.getRetries() >= 0 && wire.getRetries() <= Limits.RETRIES,
        "at most " + Limits.RETRIES + " retries");
    check(
        wire.getTried() >= 0 && wire.getTried() <= Limits.RETRIES + 1, "tries that may have been");
    check(wire.getTimeoutMillis() >= 0, "a timeout of 0 ms or more");
    String id = Ids.fromWire(wire.getId(), ordinal);
    return new Task(
        ordinal,
        id,
        work(wire),
        wire.getTimeoutMillis(),
        wire.getRetries(),
        wire.getTried(),
        FilesCodec.fromWire(wire));
  }

  static Work work(WireTask wire) throws MalformedMessageException {
    if (wire.getRanks() == 0) {
      check(!wire.getMpi(), "an MPI program with ranks");
      return each(wire);
    }
    check(
        wire.getRanks() >= 1 && wire.getRanks() <= Limits.RANKS, "1 to " + Limits.RANKS + " ranks");
    Work each = each(wire);
    check(!wire.getMpi() || each.kind() == Work.Kind.EXEC, "an MPI program that is a command");
    return new Work.Hpc(wire.getRanks(), wire.getMpi(), each);
  }

  private static Work each(WireTask wire) throws MalformedMessageException {
    return switch (wire.getWorkCase()) {
      case NOOP -> Work.Noop.INSTANCE;
      case SLEEP_MILLIS -> {
        check(wire.getSleepMillis() >= 0, "a sleep of 0 ms or more");
        yield new Work.Sleep(wire.getSleepMillis());
      }
      case EXEC -> exec(wire.getExec());
      case JAVA -> {
        check(!wire.getJava().getHandler().isEmpty(), "a handler's name");
        yield new Work.JavaCall(wire.getJava().getHandler(), wire.getJava().getArgsList());
      }
      case STORED ->
          new Work.Stored(
              kind(wire.getStored().getKind()), Contents.fromWire(wire.getStored().getContent()));
      case WORK_NOT_SET ->
          throw new MalformedMessageException("expected a task that does something");
    };
  }

  private static Work.Kind kind(WireKind wire) throws MalformedMessageException {
    return switch (wire) {
      case KIND_EXEC -> Work.Kind.EXEC;
      case KIND_JAVA -> Work.Kind.JAVA;
      case KIND_UNSPECIFIED, UNRECOGNIZED ->
          throw new MalformedMessageException("expected a known kind of stored work");
    };
  }

  private static Work.Exec exec(WireExec wire) throws MalformedMessageException {
    check(wire.getArgvCount() > 0, "a program to run");
    for (String word : wire.getArgvList()) {
      check(word.indexOf('\0') < 0, "arguments without NUL");
    }
    check(!wire.getArgv(0).isEmpty(), "a program to run");
    check(wire.getDirectory().indexOf('\0') < 0, "a directory without NUL");
    for (var variable : wire.getEnvironmentMap().entrySet()) {
      check(
          !variable.getKey().isEmpty()
              && variable.getKey().indexOf('=') < 0
              && variable.getKey().indexOf('\0') < 0
              && variable.getValue().indexOf('\0') < 0,
          "environment names without '=' and values without NUL");
    }
    ByteString stdin = wire.getStdin();
    return new Work.Exec(
        wire.getArgvList(),
        wire.getDirectory().isEmpty() ? null : wire.getDirectory(),
        wire.getEnvironmentMap(),
        stdin.toByteArray());
  }
}
