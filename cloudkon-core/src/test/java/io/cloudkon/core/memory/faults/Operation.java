package io.cloudkon.core.memory.faults;

import static io.cloudkon.core.memory.faults.Fate.ANSWER_LOST;
import static io.cloudkon.core.memory.faults.Fate.CARRIED_OUT;
import static io.cloudkon.core.memory.faults.Fate.COPIED;
import static io.cloudkon.core.memory.faults.Fate.EFFECT_LATE;
import static io.cloudkon.core.memory.faults.Fate.IGNORED;
import static io.cloudkon.core.memory.faults.Fate.PARTIAL;
import static io.cloudkon.core.memory.faults.Fate.REPLAYED;
import static io.cloudkon.core.memory.faults.Fate.THROTTLED;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** Everything that the ports do, and which fates each call can meet. */
public enum Operation {
  REQUEST_SEND(Port.REQUESTS, COPIED, EFFECT_LATE, PARTIAL),
  REQUEST_RECEIVE(Port.REQUESTS),
  REQUEST_DELETE(Port.REQUESTS, COPIED, EFFECT_LATE, PARTIAL, IGNORED, REPLAYED),
  REQUEST_VISIBILITY(Port.REQUESTS, COPIED, EFFECT_LATE, IGNORED),
  REQUEST_DEPTH(Port.REQUESTS),
  JOB_SEND(Port.JOBS, COPIED, EFFECT_LATE, PARTIAL),
  JOB_RECEIVE(Port.JOBS),
  JOB_DELETE(Port.JOBS, COPIED, EFFECT_LATE, PARTIAL, IGNORED, REPLAYED),
  JOB_VISIBILITY(Port.JOBS, COPIED, EFFECT_LATE, IGNORED),
  JOB_DEPTH(Port.JOBS),
  RANK_SEND(Port.RANKS, COPIED, EFFECT_LATE, PARTIAL),
  RANK_RECEIVE(Port.RANKS),
  RANK_DELETE(Port.RANKS, COPIED, EFFECT_LATE, PARTIAL, IGNORED, REPLAYED),
  RANK_VISIBILITY(Port.RANKS, COPIED, EFFECT_LATE, IGNORED),
  RANK_DEPTH(Port.RANKS),
  RESPONSE_CREATE(Port.RESPONSES),
  RESPONSE_REMOVE(Port.RESPONSES),
  RESPONSE_LIST(Port.RESPONSES),
  RESPONSE_SEND(Port.RESPONSES, COPIED, EFFECT_LATE, PARTIAL),
  RESPONSE_RECEIVE(Port.RESPONSES),
  RESPONSE_DELETE(Port.RESPONSES, COPIED, EFFECT_LATE, PARTIAL, IGNORED, REPLAYED),
  CLAIM_ACQUIRE(Port.CLAIMS, COPIED, EFFECT_LATE),
  CLAIM_WRITE(Port.CLAIMS, COPIED, EFFECT_LATE),
  CLAIM_SURVIVE(Port.CLAIMS, COPIED, EFFECT_LATE),
  CLAIM_READ(Port.CLAIMS),
  WORKER_PUT(Port.WORKERS, COPIED, EFFECT_LATE),
  WORKER_REMOVE(Port.WORKERS),
  WORKER_LIST(Port.WORKERS),
  RUN_CREATE(Port.RUNS),
  RUN_READ(Port.RUNS),
  RUN_UPDATE(Port.RUNS, COPIED, EFFECT_LATE),
  RUN_TAKE_OVER(Port.RUNS),
  RUN_CANCEL(Port.RUNS),
  RUN_HAND_IN(Port.RUNS),
  RUN_LIST(Port.RUNS),
  LEDGER_CHANGE(Port.LEDGER, COPIED, EFFECT_LATE),
  LEDGER_RENEW(Port.LEDGER, COPIED, EFFECT_LATE),
  LEDGER_KEEP(Port.LEDGER, COPIED, EFFECT_LATE),
  LEDGER_PUT(Port.LEDGER, COPIED, EFFECT_LATE),
  LEDGER_REMOVE(Port.LEDGER, COPIED, EFFECT_LATE),
  LEDGER_COUNTER(Port.LEDGER),
  LEDGER_RESERVATION(Port.LEDGER),
  LEDGER_VIEW(Port.LEDGER),
  DECISION_PROVISIONER(Port.DECISIONS),
  DECISION_TAKE(Port.DECISIONS, COPIED, EFFECT_LATE),
  DECISION_RENEW(Port.DECISIONS, COPIED, EFFECT_LATE),
  DECISION_INTEND(Port.DECISIONS, COPIED, EFFECT_LATE),
  DECISION_UPDATE(Port.DECISIONS, COPIED, EFFECT_LATE),
  DECISION_READ(Port.DECISIONS),
  SEAT_SIT(Port.DECISIONS, COPIED, EFFECT_LATE),
  SEAT_LEAVE(Port.DECISIONS),
  SEAT_LIST(Port.DECISIONS),
  SETTINGS_READ(Port.DECISIONS),
  SETTINGS_KEEP(Port.DECISIONS),
  BLOB_PUT(Port.BLOBS),
  BLOB_GET(Port.BLOBS),
  BLOB_RENEW(Port.BLOBS),
  BLOB_LIST(Port.BLOBS),
  BLOB_REMOVE(Port.BLOBS);

  private final Port port;
  private final Set<Fate> fates;

  Operation(Port port, Fate... special) {
    this.port = port;
    EnumSet<Fate> all = EnumSet.of(CARRIED_OUT, THROTTLED, ANSWER_LOST);
    Collections.addAll(all, special);
    this.fates = Collections.unmodifiableSet(all);
  }

  /** Whose operation it is. */
  public Port port() {
    return port;
  }

  /** What a call of it can meet; a plan that says anything else has it carried out. */
  public Set<Fate> fates() {
    return fates;
  }

  /** The operations that are SQS calls. */
  public static Set<Operation> sqs() {
    return EnumSet.range(REQUEST_SEND, RESPONSE_DELETE);
  }

  /** The operations that are DynamoDB calls. */
  public static Set<Operation> dynamodb() {
    return EnumSet.range(CLAIM_ACQUIRE, SETTINGS_KEEP);
  }

  /** The operations that are S3 calls. */
  public static Set<Operation> s3() {
    return EnumSet.range(BLOB_PUT, BLOB_REMOVE);
  }
}
