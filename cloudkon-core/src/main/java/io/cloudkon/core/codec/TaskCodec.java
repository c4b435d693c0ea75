package io.cloudkon.core.codec;

import static io.cloudkon.core.codec.MalformedMessageException.check;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.wire.WireExec;
import io.cloudkon.core.wire.WireJava;
import io.cloudkon.core.wire.WireNoop;
import io.cloudkon.core.wire.WireTask;

/** One task to its wire form and back. */
final class TaskCodec {
  private static final WireNoop NOOP = WireNoop.getDefaultInstance();

  private static final WireTask PLAIN_NOOP = WireTask.newBuilder().setNoop(NOOP).build();

  private TaskCodec() {}

  static WireTask toWire(Task task, int expectedOrdinal) {
    boolean defaultId = Ids.isDefault(task.id(), task.ordinal());
    int skip = task.ordinal() - expectedOrdinal;
    if (skip == 0 && defaultId && task.timeoutMillis() == 0 && task.work() instanceof Work.Noop) {
      return PLAIN_NOOP;
    }
    WireTask.Builder wire = WireTask.newBuilder().setSkip(skip);
    if (!defaultId) {
      wire.setId(task.id());
    }
    wire.setTimeoutMillis(task.timeoutMillis());
    switch (task.work()) {
      case Work.Noop noop -> wire.setNoop(NOOP);
      case Work.Sleep sleep -> wire.setSleepMillis(sleep.millis());
      case Work.Exec exec -> wire.setExec(toWire(exec));
      case Work.JavaCall java ->
          wire.setJava(
              WireJava.newBuilder().setHandler(java.handler()).addAllArgs(java.args()).build());
    }
    return wire.build();
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
    check(wire.getRanks() == 0 && !wire.getMpi(), "a task without ranks");
    check(wire.getRetries() == 0, "a task without retries");
    check(wire.getInputsCount() == 0, "a task without input files");
    check(wire.getTimeoutMillis() >= 0, "a timeout of 0 ms or more");
    String id = Ids.fromWire(wire.getId(), ordinal);
    return new Task(ordinal, id, work(wire), wire.getTimeoutMillis());
  }

  private static Work work(WireTask wire) throws MalformedMessageException {
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
      case WORK_NOT_SET ->
          throw new MalformedMessageException("expected a task that does something");
    };
  }

  private static Work.Exec exec(WireExec wire) throws MalformedMessageException {
    check(wire.getArgvCount() > 0, "a program to run");
    check(!wire.hasStdinBlob(), "standard input within the message");
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
    check(stdin.size() <= Limits.TASK_BYTES, "standard input within the message limit");
    return new Work.Exec(
        wire.getArgvList(),
        wire.getDirectory().isEmpty() ? null : wire.getDirectory(),
        wire.getEnvironmentMap(),
        stdin.toByteArray());
  }
}
