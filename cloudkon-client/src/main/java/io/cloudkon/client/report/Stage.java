package io.cloudkon.client.report;

import static io.cloudkon.client.report.Stamp.CLAIMED;
import static io.cloudkon.client.report.Stamp.CLAIM_BEGUN;
import static io.cloudkon.client.report.Stamp.COLLECTED;
import static io.cloudkon.client.report.Stamp.COLLECT_BEGUN;
import static io.cloudkon.client.report.Stamp.FINISHED;
import static io.cloudkon.client.report.Stamp.RECEIVED;
import static io.cloudkon.client.report.Stamp.RECEIVE_BEGUN;
import static io.cloudkon.client.report.Stamp.REPLIED;
import static io.cloudkon.client.report.Stamp.REPLY_BEGUN;
import static io.cloudkon.client.report.Stamp.SEND_BEGUN;
import static io.cloudkon.client.report.Stamp.SENT;
import static io.cloudkon.client.report.Stamp.STAGE_BEGUN;
import static io.cloudkon.client.report.Stamp.STARTED;
import static io.cloudkon.client.report.Stamp.SUBMITTED;

import java.util.Arrays;
import java.util.List;

/**
 * The stages of a task from submission to result, as {@code report.json} names them. The first
 * thirteen follow each other without gap or overlap and add up to the latency; the last three, the
 * spans, are the published grouping: each is the sum of some of the thirteen (the stages from
 * {@code batch} to {@code receive} deliver the task, those from {@code reply} on deliver the
 * result, and those in between are the execution).
 */
public enum Stage {
  /** The client collects and encodes the bundle: submitted to sendBegun. */
  BATCH("batch", SUBMITTED, SEND_BEGUN),
  /** Deliver task, send: sendBegun to sent. */
  SEND("send", SEND_BEGUN, SENT),
  /** Deliver task, queue: max(0, receiveBegun - sent). */
  QUEUE("queue", SENT, RECEIVE_BEGUN),
  /** Deliver task, receive: received - max(sent, receiveBegun). */
  RECEIVE("receive", SENT, RECEIVE_BEGUN, RECEIVED),
  /** The worker holds the bundle ahead of need: received to claimBegun. */
  AHEAD("ahead", RECEIVED, CLAIM_BEGUN),
  /** Execute, claim: claimBegun to claimed. */
  CLAIM("claim", CLAIM_BEGUN, CLAIMED),
  /** Execute, wait for a slot: claimed to stageBegun. */
  WAIT("wait", CLAIMED, STAGE_BEGUN),
  /** Execute, make its files ready: stageBegun to started; 0 if it has none. */
  STAGE("stage", STAGE_BEGUN, STARTED),
  /** Execute, run: started to finished. */
  RUN("run", STARTED, FINISHED),
  /** The result waits to be sent together with others: finished to replyBegun. */
  HOLD("hold", FINISHED, REPLY_BEGUN),
  /** Deliver result, send: replyBegun to replied. */
  REPLY("reply", REPLY_BEGUN, REPLIED),
  /** Deliver result, queue: max(0, collectBegun - replied). */
  REPLY_QUEUE("replyQueue", REPLIED, COLLECT_BEGUN),
  /** Deliver result, receive: collected - max(replied, collectBegun). */
  COLLECT("collect", REPLIED, COLLECT_BEGUN, COLLECTED),

  /** Span: submitted to received. */
  DELIVER_TASK("deliverTask", SUBMITTED, RECEIVED),
  /** Span: received to replyBegun. */
  EXECUTE("execute", RECEIVED, REPLY_BEGUN),
  /** Span: replyBegun to collected. */
  DELIVER_RESULT("deliverResult", REPLY_BEGUN, COLLECTED);

  /** The stages that differ between the tasks of one bundle. */
  static final List<Stage> OWN = List.of(WAIT, STAGE, RUN, HOLD);

  /** The stages that a whole bundle shares. */
  static final List<Stage> SHARED =
      Arrays.stream(values()).filter(stage -> !OWN.contains(stage)).toList();

  private final String key;
  private final Stamp from;
  private final Stamp orFrom;
  private final Stamp to;

  Stage(String key, Stamp from, Stamp to) {
    this(key, from, from, to);
  }

  Stage(String key, Stamp from, Stamp orFrom, Stamp to) {
    this.key = key;
    this.from = from;
    this.orFrom = orFrom;
    this.to = to;
  }

  /** Its name in {@code report.json}. */
  public String key() {
    return key;
  }

  /** The duration of this stage, in microseconds; never negative. */
  public long micros(StageStamps stamps) {
    return Math.max(0, stamps.at(to) - Math.max(stamps.at(from), stamps.at(orFrom)));
  }
}
