/*
 * CloudKon's claim protocol, for the model checker spin. README.md beside this file says what is modelled and how to
 * run it; check.sh runs it.
 *
 * Steps carry the names of the code: what is called X here is X of ClaimMachine or its parts Acquirer and OwnerWrites,
 * of BundleMachine or its part Ownership, of ClaimRules, or the event BundleEvent.X. ModelNamesTest (core,
 * protocol.claim) holds the constants and both tables to the enums.
 */

#define EXACTLY_ONCE  1
#define AT_MOST_ONCE  2
#define AT_LEAST_ONCE 3
#ifndef MODE
#error "say which consistency: -DMODE=EXACTLY_ONCE, AT_MOST_ONCE or AT_LEAST_ONCE"
#endif
#define CLAIMS (MODE != AT_LEAST_ONCE)

/* ---- the bounds */

#define WORKERS 2            /* at a time; one that died comes back as a new one */
#define ALL     3            /* the first bundle's tasks as a bitmap: two */
#ifndef EVENTS
#define EVENTS  2            /* faults, drains and hand-offs: so many in any mixture, each at any moment */
#endif
#define BUNDLES (EVENTS + 1) /* a bundle, its child, the child's child: each child takes an event */
#if BUNDLES < 2 || BUNDLES > 4
#error "EVENTS is 1, 2 or 3"
#endif

/* ---- the code's names */

mtype = { /* ClaimState */
  ClaimState_LEASED, ClaimState_RELEASED, ClaimState_LOSING, ClaimState_DONE
};

mtype = { /* Mode */
  Mode_TAKE_OVER, Mode_FRESH, Mode_LOSING
};

mtype = { /* ClaimPhase */
  ClaimPhase_UNCLAIMED, ClaimPhase_ACQUIRING, ClaimPhase_SUCCEEDING, ClaimPhase_CONFIRMING, ClaimPhase_LEASED,
  ClaimPhase_LOSING, ClaimPhase_ENDING, ClaimPhase_RELEASING, ClaimPhase_DONE, ClaimPhase_RELEASED,
  ClaimPhase_REFUSED, ClaimPhase_LOST
};

mtype = { /* ClaimTrigger */
  ClaimTrigger_ACQUIRE, ClaimTrigger_GRANTED, ClaimTrigger_GRANTED_LATE, ClaimTrigger_CONFIRMED,
  ClaimTrigger_SAW_EXPIRED, ClaimTrigger_GRANTED_LOSING, ClaimTrigger_SAW_OTHER, ClaimTrigger_SAW_DONE,
  ClaimTrigger_END, ClaimTrigger_ENDED, ClaimTrigger_RELEASE, ClaimTrigger_RELEASED, ClaimTrigger_FENCED,
  ClaimTrigger_LEASE_OVER
};

mtype = { /* BundlePhase */
  BundlePhase_HELD, BundlePhase_CLAIMING, BundlePhase_RUNNING, BundlePhase_LOSING, BundlePhase_GIVING_UP,
  BundlePhase_DRAINING, BundlePhase_ENDING, BundlePhase_RELEASING, BundlePhase_DELETING, BundlePhase_CLOSED
};

mtype = { /* BundleTrigger */
  BundleTrigger_BEGIN, BundleTrigger_PUT_BACK, BundleTrigger_GRANTED, BundleTrigger_GRANTED_LOSING,
  BundleTrigger_TOO_OFTEN, BundleTrigger_SAW_DONE, BundleTrigger_SAW_OTHER, BundleTrigger_DRAIN,
  BundleTrigger_SETTLED, BundleTrigger_RELEASE, BundleTrigger_ENDED, BundleTrigger_RELEASED,
  BundleTrigger_RUN_CLOSED, BundleTrigger_LOST, BundleTrigger_DELETED
};

/* ---- what stands in the services */

#define ABSENT 0

typedef Claim {           /* a claim item; state is ABSENT where there is none */
  mtype state;
  byte nonce;
  byte attempt;
  byte seq;
  unsigned started : 2;
  unsigned done : 2;
  unsigned childTasks : 2; /* the one child's; 0 if there is none */
  bit childSent;
  bit takenBack;           /* this attempt was, by ClaimStore.survive */
}

Claim claims[BUNDLES];
bit queued[BUNDLES];      /* the bundle's message is in the request queue, hidden or not */
bit sentOnce[BUNDLES];    /* it was sent at some time */
unsigned tasksOf0 : 2;    /* the tasks that each bundle's message names */
unsigned tasksOf1 : 2;
unsigned tasksOf2 : 2;
unsigned tasksOf3 : 2;
#define tasksOf(b) ((b) == 0 -> tasksOf0 : ((b) == 1 -> tasksOf1 : ((b) == 2 -> tasksOf2 : tasksOf3)))

/* A call of the claim store that its caller waits for no longer, and that may still arrive. */
mtype = { Call_ACQUIRE, Call_WRITE };
typedef Late {
  mtype call;
  byte bundle;
  byte nonce;
  byte attempt;           /* acquisition: the expected one */
  byte seq;
  mtype mode;
  mtype expected;
  mtype state;
  unsigned started : 2;
  unsigned done : 2;
  unsigned childTasks : 2;
  bit childSent;
}
Late late;

/* Sends that left a worker which is no longer the owner; each may still arrive. */
unsigned strayResults : 2;
unsigned strayLost : 2;
bit strayChild[BUNDLES];

/* ---- the workers, one bundle in hand each */

typedef WorkerState {
  mtype phase;            /* CLOSED: no bundle in hand */
  mtype claim;
  byte bundle;
  byte nonce;
  byte attempt;
  byte seq;
  /* the lease by this worker's own clocks: what it counts on; what the call under way may bring; since the first
     acquisition of this nonce; since the first that was to settle only */
  bit over;
  bit overCall;
  bit overFirst;
  bit overSucceeding;
  bit trusted;            /* BUG_GRANTED_LATE_TRUSTED */
  /* OwnedItem: what stands there for certain, and what the next write is to say */
  mtype durableState;
  unsigned durableStarted : 2;
  unsigned durableChild : 2;
  unsigned starts : 2;
  unsigned done : 2;
  unsigned childTasks : 2;
  bit childSent;
  bit urgent;
  bit changed;            /* something travels with the next write */
  bit drainWanted;
  bit releaseTook;        /* its release took effect, whether or not it knows */
  bit childOnItsWay;
  /* TaskLedger */
  unsigned pending : 2;
  unsigned running : 2;
  unsigned finished : 2;
  unsigned lost : 2;
  unsigned reportedLost : 2;
  unsigned sending : 2;
  unsigned startsAsked : 2;
  /* the call under way */
  mtype call;
  mtype mode;
  byte seenAttempt;
  mtype callState;
  unsigned callStarted : 2;
  unsigned callDone : 2;
  unsigned callChild : 2;
  bit callChildSent;
}
WorkerState ws[WORKERS];
#define me ws[w]

/* ---- the client, and what the properties look at */

unsigned replied : 2;         /* a final result was accepted by the response queue, LOST included */
unsigned provisionalLost : 2; /* the client has LOST, and waits for something better */
unsigned shown : 2;           /* written to results.jsonl */
unsigned shownLost : 2;       /* of these, as LOST */
unsigned recordedOnce : 2;    /* stood in some item's done */
unsigned startedOnce : 2;
unsigned excused : 2;         /* since it last started, an owner of its bundle died, lost its lease or killed it */

byte events = EVENTS;

/* Scratch within one step; no part of the state. */
hidden byte accepted;
hidden byte n;

/* ---- the tables */

hidden byte claimTable[256];
hidden byte bundleTable[256];
/* spin numbers the constants of one declaration from its last to its first */
#define CLAIM_AT(from, trigger)  ((from) - ClaimPhase_LOST) * 16 + (trigger) - ClaimTrigger_LEASE_OVER
#define BUNDLE_AT(from, trigger) ((from) - BundlePhase_CLOSED) * 16 + (trigger) - BundleTrigger_DELETED
#define CLAIM_ROW(from, trigger, to) \
  claimTable[CLAIM_AT(ClaimPhase_##from, ClaimTrigger_##trigger)] = ClaimPhase_##to;
#define BUNDLE_ROW(from, trigger, to) \
  bundleTable[BUNDLE_AT(BundlePhase_##from, BundleTrigger_##trigger)] = BundlePhase_##to;

inline tables() {
  CLAIM_ROW(UNCLAIMED, ACQUIRE, ACQUIRING)
  CLAIM_ROW(ACQUIRING, GRANTED, LEASED)
  CLAIM_ROW(ACQUIRING, GRANTED_LATE, CONFIRMING)
  CLAIM_ROW(ACQUIRING, SAW_EXPIRED, SUCCEEDING)
  CLAIM_ROW(ACQUIRING, SAW_OTHER, REFUSED)
  CLAIM_ROW(ACQUIRING, SAW_DONE, REFUSED)
  CLAIM_ROW(SUCCEEDING, GRANTED, LEASED)
  CLAIM_ROW(SUCCEEDING, GRANTED_LATE, CONFIRMING)
  CLAIM_ROW(SUCCEEDING, GRANTED_LOSING, LOSING)
  CLAIM_ROW(SUCCEEDING, SAW_OTHER, REFUSED)
  CLAIM_ROW(SUCCEEDING, SAW_DONE, REFUSED)
  CLAIM_ROW(CONFIRMING, CONFIRMED, LEASED)
  CLAIM_ROW(CONFIRMING, FENCED, LOST)
  CLAIM_ROW(LEASED, END, ENDING)
  CLAIM_ROW(LEASED, RELEASE, RELEASING)
  CLAIM_ROW(LEASED, FENCED, LOST)
  CLAIM_ROW(LEASED, LEASE_OVER, LOST)
  CLAIM_ROW(LOSING, END, ENDING)
  CLAIM_ROW(LOSING, FENCED, LOST)
  CLAIM_ROW(LOSING, LEASE_OVER, LOST)
  CLAIM_ROW(ENDING, ENDED, DONE)
  CLAIM_ROW(ENDING, FENCED, LOST)
  CLAIM_ROW(RELEASING, RELEASED, RELEASED)
  CLAIM_ROW(RELEASING, FENCED, LOST)

  BUNDLE_ROW(HELD, BEGIN, CLAIMING)
  BUNDLE_ROW(HELD, PUT_BACK, CLOSED)
  BUNDLE_ROW(HELD, RUN_CLOSED, DELETING)
  BUNDLE_ROW(CLAIMING, GRANTED, RUNNING)
  BUNDLE_ROW(CLAIMING, GRANTED_LOSING, LOSING)
  BUNDLE_ROW(CLAIMING, TOO_OFTEN, GIVING_UP)
  BUNDLE_ROW(CLAIMING, SAW_DONE, DELETING)
  BUNDLE_ROW(CLAIMING, SAW_OTHER, CLOSED)
  BUNDLE_ROW(CLAIMING, PUT_BACK, CLOSED)
  BUNDLE_ROW(CLAIMING, LOST, CLOSED)
  BUNDLE_ROW(RUNNING, SETTLED, ENDING)
  BUNDLE_ROW(RUNNING, DRAIN, DRAINING)
  BUNDLE_ROW(RUNNING, RUN_CLOSED, ENDING)
  BUNDLE_ROW(RUNNING, LOST, CLOSED)
  BUNDLE_ROW(LOSING, SETTLED, ENDING)
  BUNDLE_ROW(LOSING, RUN_CLOSED, ENDING)
  BUNDLE_ROW(LOSING, RELEASE, RELEASING)
  BUNDLE_ROW(LOSING, LOST, CLOSED)
  BUNDLE_ROW(GIVING_UP, SETTLED, ENDING)
  BUNDLE_ROW(GIVING_UP, RUN_CLOSED, ENDING)
  BUNDLE_ROW(GIVING_UP, RELEASE, RELEASING)
  BUNDLE_ROW(GIVING_UP, LOST, CLOSED)
  BUNDLE_ROW(DRAINING, SETTLED, ENDING)
  BUNDLE_ROW(DRAINING, RELEASE, RELEASING)
  BUNDLE_ROW(DRAINING, TOO_OFTEN, GIVING_UP)
  BUNDLE_ROW(DRAINING, RUN_CLOSED, ENDING)
  BUNDLE_ROW(DRAINING, LOST, CLOSED)
  BUNDLE_ROW(ENDING, ENDED, DELETING)
  BUNDLE_ROW(ENDING, LOST, CLOSED)
  BUNDLE_ROW(RELEASING, RELEASED, CLOSED)
  BUNDLE_ROW(RELEASING, LOST, CLOSED)
  BUNDLE_ROW(DELETING, DELETED, CLOSED)
}

inline moveClaim(trigger) {
  me.claim = claimTable[CLAIM_AT(me.claim, trigger)];
  assert(me.claim != 0) /* a step that the claim's table does not declare */
}

inline moveBundle(trigger) {
  me.phase = bundleTable[BUNDLE_AT(me.phase, trigger)];
  assert(me.phase != 0) /* a step that the bundle's table does not declare */
}

/* ---- planted bugs, each by its -D: check.sh shows that every one is found */

#ifdef BUG_STALE_WRITE_ACCEPTED
#define NEWER(bySeq) true
#define LATE_MATTERS true
#else
#define NEWER(bySeq) (claims[id].seq < (bySeq))
#endif
#ifdef BUG_FENCING_IGNORED
#define SAME_OWNER(byAttempt, byNonce) true
#define LATE_MATTERS true
#else
#define SAME_OWNER(byAttempt, byNonce) (claims[id].attempt == (byAttempt) && claims[id].nonce == (byNonce))
#endif
#ifndef LATE_MATTERS
#define LATE_MATTERS false
#endif
#define OWN_COPY(byNonce) (claims[id].nonce == (byNonce))
#ifdef BUG_NONCE_LOST
#define myNonceShown false
#else
#define myNonceShown (claims[me.bundle].nonce == me.nonce)
#endif
#ifdef BUG_LIVE_LEASE_TAKEN
#define expired(b) true
#else
#define expired(b) (!countsOn(0, b) && !countsOn(1, b))
#endif
#ifdef BUG_GRANTED_LATE_TRUSTED
#define GRANTED_LATE_TRUSTED true
#else
#define GRANTED_LATE_TRUSTED false
#endif
#ifdef BUG_LEASE_UNWATCHED
#define overNoticed false
#else
#define overNoticed (me.over && !me.trusted)
#endif
#ifdef BUG_DELETED_EARLY
#define DELETED_EARLY true
#else
#define DELETED_EARLY false
#endif
#ifdef BUG_LOST_SHOWN_AT_ONCE
#define lostMayBeShown true
#else
#define lostMayBeShown ((shown | provisionalLost) == ALL)
#endif
#ifdef BUG_LOSING_SKIPPED
#define modeForFirst Mode_TAKE_OVER
#else
#define modeForFirst (MODE == AT_MOST_ONCE -> Mode_FRESH : Mode_TAKE_OVER)
#endif
#ifdef BUG_STARTS_NOT_RECORDED
#define mayStart me.pending
#else
#define mayStart (MODE == AT_MOST_ONCE -> me.pending & me.durableStarted : me.pending)
#endif
#ifdef BUG_CHILD_FORGOTTEN
#define allChildrenSent true
#else
#define allChildrenSent (me.childTasks == 0 || me.childSent)
#endif
#ifdef BUG_RELEASE_TAKEN_BACK
#define mayTakeBack true
#else
#define mayTakeBack (me.claim != ClaimPhase_RELEASING)
#endif
#ifdef BUG_SPLIT_SENDS_FIRST
#define childrenRecorded me.childTasks
#else
#define childrenRecorded me.durableChild
#endif

/* ---- leases and time */

#define leased(b) (claims[b].state == ClaimState_LEASED || claims[b].state == ClaimState_LOSING)

/* Whether a worker counts on the lease that stands in the item, or will when it sees that the item is its own. What
   nobody counts on is expired: an owner gives up the margin before its leaseEnd, others wait the margin after it. */
#define countsOn(v, b) (ws[v].nonce != 0 && ws[v].bundle == b && ws[v].nonce == claims[b].nonce && \
  (((ws[v].claim == ClaimPhase_ACQUIRING || ws[v].claim == ClaimPhase_SUCCEEDING) && \
    (claims[b].state == ClaimState_LOSING -> !ws[v].overSucceeding : !ws[v].overFirst)) || \
   ((ws[v].claim == ClaimPhase_LEASED || ws[v].claim == ClaimPhase_LOSING || ws[v].claim == ClaimPhase_ENDING || \
     ws[v].claim == ClaimPhase_RELEASING) && !ws[v].over)))

#ifdef BUG_STARTS_OF_A_LATE_COPY
#define BRINGS_STARTS(id) (claims[id].state == ABSENT || claims[id].started == 0)
#else
#define BRINGS_STARTS(id) (claims[id].state == ABSENT)
#endif

/* ---- ClaimRules: the conditions and effects of every write on a claim */

inline ClaimRules_acquire(id, byMode, byNonce, byExpectedAttempt, byStarted) {
  if
  :: claims[id].state == ABSENT -> accepted = (byMode != Mode_LOSING)
  :: claims[id].state != ABSENT && OWN_COPY(byNonce) -> accepted = false /* a late copy */
  :: else ->
    if
    :: byMode == Mode_TAKE_OVER ->
      accepted = (claims[id].state == ClaimState_RELEASED ||
                  (claims[id].state == ClaimState_LEASED && expired(id)))
    :: byMode == Mode_FRESH -> accepted = (claims[id].state == ClaimState_RELEASED)
    :: byMode == Mode_LOSING ->
      accepted = (leased(id) && expired(id) && claims[id].attempt == byExpectedAttempt)
    fi
  fi;
  if
  :: accepted ->
    if
    :: BRINGS_STARTS(id) -> claims[id].started = byStarted
    :: else
    fi;
    claims[id].state = (byMode == Mode_LOSING -> ClaimState_LOSING : ClaimState_LEASED);
    claims[id].nonce = byNonce;
    claims[id].attempt++;
    claims[id].takenBack = 0;
    claims[id].seq = 0
  :: else
  fi
}

inline ClaimRules_write(id, byAttempt, byNonce, bySeq, byExpected, byState, byStarted, byDone, byChild, byChildSent) {
  accepted = (claims[id].state == byExpected && SAME_OWNER(byAttempt, byNonce) && NEWER(bySeq));
  if
  :: accepted ->
    /* a stale write never undoes a newer one */
    assert((claims[id].done & ~byDone) == 0);
    assert((claims[id].childTasks & ~byChild) == 0);
    assert(!claims[id].childSent || byChildSent);
    assert(MODE != AT_MOST_ONCE || (claims[id].started & startedOnce & ~byStarted) == 0);
    /* recorded only after the result was accepted */
    assert((byDone & ~replied) == 0);
    /* DONE only with every task recorded or handed on, and what was handed on sent */
    assert(byState != ClaimState_DONE || (tasksOf(id) & ~(byDone | byChild)) == 0);
    assert(byState != ClaimState_DONE || byChild == 0 || (byChildSent && sentOnce[id + 1]));
    claims[id].state = byState;
    claims[id].seq = bySeq;
    claims[id].started = byStarted;
    claims[id].done = byDone;
    claims[id].childTasks = byChild;
    claims[id].childSent = byChildSent;
    recordedOnce = recordedOnce | byDone;
    if
    :: byState == ClaimState_RELEASED ->
      /* an attempt is taken back or released, not both: it would count as two */
      assert(!claims[id].takenBack);
      if
      :: ws[0].bundle == id && ws[0].nonce == byNonce && ws[0].attempt == byAttempt -> ws[0].releaseTook = 1
      :: ws[1].bundle == id && ws[1].nonce == byNonce && ws[1].attempt == byAttempt -> ws[1].releaseTook = 1
      :: else
      fi
    :: byState == ClaimState_DONE -> claims[id].takenBack = 0
    :: else
    fi
  :: else
  fi
}

/* Repeated or late, it changes nothing: attempts are a set. So it is carried out at once here. */
inline ClaimRules_survive(id, byAttempt) {
  if
  :: claims[id].state != ClaimState_DONE && claims[id].attempt == byAttempt -> claims[id].takenBack = 1
  :: else
  fi
}

/* ---- the client */

inline collectResults(tasks) {
  /* a result that comes before the client has ended is shown */
  assert(shown == ALL || ((tasks) & shownLost) == 0);
  replied = replied | (tasks);
  shown = shown | (tasks);
  provisionalLost = provisionalLost & ~(tasks);
  /* what could still arrive of it would be dropped */
  strayResults = strayResults & ~shown;
  strayLost = strayLost & ~replied
}

inline collectLost(tasks) {
  assert(MODE == AT_MOST_ONCE);
  /* LOST only if an owner died, lost its lease or killed it */
  assert(((tasks) & ~excused) == 0);
  replied = replied | (tasks);
  provisionalLost = provisionalLost | ((tasks) & ~shown);
  strayLost = strayLost & ~replied
}

/* ---- ClaimMachine */

#define owner (me.claim == ClaimPhase_LEASED || me.claim == ClaimPhase_LOSING || me.claim == ClaimPhase_CONFIRMING || \
               me.claim == ClaimPhase_ENDING || me.claim == ClaimPhase_RELEASING)
#define valid (!CLAIMS || ((me.claim == ClaimPhase_LEASED || me.claim == ClaimPhase_LOSING) && !overNoticed))

inline sendAcquisition(byMode, expectedAttempt) {
  me.call = Call_ACQUIRE;
  me.mode = byMode;
  me.seenAttempt = expectedAttempt;
  me.callStarted = (byMode == Mode_FRESH -> me.startsAsked : 0);
  me.overCall = 0
}

inline target() {
  if
  :: me.claim == ClaimPhase_ENDING -> me.callState = ClaimState_DONE
  :: me.claim == ClaimPhase_RELEASING -> me.callState = ClaimState_RELEASED
  :: me.claim == ClaimPhase_LOSING -> me.callState = ClaimState_LOSING
  :: me.claim == ClaimPhase_LEASED || me.claim == ClaimPhase_CONFIRMING -> me.callState = ClaimState_LEASED
  fi
}

inline pump() {
  if
  :: owner && me.call == 0 && me.urgent ->
    me.urgent = 0;
    me.changed = 0;
    me.seq++;
    me.call = Call_WRITE;
    target();
    me.callStarted = me.starts;
    me.callDone = me.done;
    me.callChild = me.childTasks;
    me.callChildSent = me.childSent;
    me.overCall = 0
  :: else
  fi
}

inline soon() {
  me.urgent = 1;
  pump()
}

/* The call under way came to its end. */
inline answered() {
  me.call = 0;
  me.mode = 0;
  me.seenAttempt = 0;
  me.callState = 0;
  me.callStarted = 0;
  me.callDone = 0;
  me.callChild = 0;
  me.callChildSent = 0;
  me.overCall = 0
}

inline acquire() {
  moveClaim(ClaimTrigger_ACQUIRE);
  sendAcquisition(modeForFirst, 0)
}

/* The item is this worker's, with its lease counted from the call that may have brought it. */
inline adopt() {
  me.attempt = claims[me.bundle].attempt;
  me.seq = claims[me.bundle].seq;
  me.durableState = claims[me.bundle].state;
  me.durableStarted = claims[me.bundle].started;
  me.durableChild = claims[me.bundle].childTasks;
  me.starts = claims[me.bundle].started;
  me.done = claims[me.bundle].done;
  me.childTasks = claims[me.bundle].childTasks;
  me.childSent = claims[me.bundle].childSent;
  me.overFirst = 0;
  me.overSucceeding = 0;
  me.startsAsked = 0;
  answered();
  if
  :: me.durableState == ClaimState_LOSING ->
    if
    :: me.claim == ClaimPhase_ACQUIRING -> moveClaim(ClaimTrigger_SAW_EXPIRED)
    :: else
    fi;
    moveClaim(ClaimTrigger_GRANTED_LOSING);
    grantedLosing()
  :: me.durableState != ClaimState_LOSING && me.over && !GRANTED_LATE_TRUSTED ->
    moveClaim(ClaimTrigger_GRANTED_LATE);
    me.over = 0;
    soon()
  :: else ->
    moveClaim(ClaimTrigger_GRANTED);
    me.trusted = me.over;
    granted()
  fi
}

inline acquired() {
  me.over = me.overCall;
  adopt()
}

inline acquireFailed() {
  if
  :: me.claim == ClaimPhase_ACQUIRING -> sendAcquisition(modeForFirst, 0)
  :: me.claim == ClaimPhase_SUCCEEDING -> sendAcquisition(Mode_LOSING, me.seenAttempt)
  fi
}

inline acquireRefused() {
  if
  :: myNonceShown && claims[me.bundle].state != ClaimState_DONE ->
    me.over = (claims[me.bundle].state == ClaimState_LOSING -> me.overSucceeding : me.overFirst);
    adopt()
  :: claims[me.bundle].state == ClaimState_DONE ->
    answered();
    moveClaim(ClaimTrigger_SAW_DONE);
    moveBundle(BundleTrigger_SAW_DONE);
    leftOver()
  :: else ->
    if
    :: claims[me.bundle].state == ClaimState_RELEASED || (expired(me.bundle) && MODE == EXACTLY_ONCE) ->
      sendAcquisition(modeForFirst, 0)
    :: claims[me.bundle].state != ClaimState_RELEASED && expired(me.bundle) && MODE == AT_MOST_ONCE ->
      if
      :: me.claim == ClaimPhase_ACQUIRING -> moveClaim(ClaimTrigger_SAW_EXPIRED)
      :: else
      fi;
      me.overSucceeding = 0;
      sendAcquisition(Mode_LOSING, claims[me.bundle].attempt)
    :: else ->
      moveClaim(ClaimTrigger_SAW_OTHER);
      moveBundle(BundleTrigger_SAW_OTHER);
      close()
    fi
  fi
}

inline written() {
  me.durableState = me.callState;
  me.durableStarted = me.callStarted;
  me.durableChild = me.callChild;
  n = me.overCall;
  answered();
  fromSeqZero();
  if
  :: me.claim == ClaimPhase_ENDING ->
    if
    :: me.durableState == ClaimState_DONE ->
      moveClaim(ClaimTrigger_ENDED);
      moveBundle(BundleTrigger_ENDED);
      leftOver()
    :: else -> pump()
    fi
  :: me.claim == ClaimPhase_RELEASING ->
    if
    :: me.durableState == ClaimState_RELEASED ->
      moveClaim(ClaimTrigger_RELEASED);
      moveBundle(BundleTrigger_RELEASED);
      close()
    :: else -> pump()
    fi
  :: me.claim == ClaimPhase_CONFIRMING ->
    me.over = n;
    moveClaim(ClaimTrigger_CONFIRMED);
    granted();
    pump()
  :: me.claim == ClaimPhase_LEASED || me.claim == ClaimPhase_LOSING ->
    me.over = n;
    pump()
  fi
}

/* Only the order of an attempt's writes counts: where no other is under way, counting may begin anew. */
inline fromSeqZero() {
  if
  :: (late.call != Call_WRITE || late.bundle != me.bundle) && leased(me.bundle) && claims[me.bundle].seq == me.seq ->
    claims[me.bundle].seq = 0;
    me.seq = 0
  :: else
  fi
}

inline lose(why) {
  if
  :: MODE == EXACTLY_ONCE && mayTakeBack ->
    assert(!me.releaseTook); /* an attempt is taken back or released, not both */
    ClaimRules_survive(me.bundle, me.attempt)
  :: else
  fi;
  moveClaim(why);
  moveBundle(BundleTrigger_LOST);
  close()
}

/* OwnedItem.shownBy: it was this very write, or an earlier one that gave the claim up already */
inline writeRefused() {
  if
  :: myNonceShown && claims[me.bundle].attempt == me.attempt &&
     (claims[me.bundle].seq == me.seq ||
      (claims[me.bundle].state == me.callState &&
       (me.callState == ClaimState_DONE || me.callState == ClaimState_RELEASED))) ->
    written()
  :: else -> lose(ClaimTrigger_FENCED)
  fi
}

inline checkLease() {
  if
  :: (me.claim == ClaimPhase_LEASED || me.claim == ClaimPhase_LOSING) && overNoticed -> lose(ClaimTrigger_LEASE_OVER)
  :: else
  fi
}

inline writeFailed() {
  answered();
  me.urgent = 1;
  checkLease();
  pump()
}

/* ---- BundleMachine */

/* The message is received, with a nonce that nobody has. */
inline receive(b) {
  n = 1;
  do
  :: n == claims[b].nonce || (late.call != 0 && late.bundle == b && n == late.nonce) ||
     (ws[1 - w].nonce == n && ws[1 - w].bundle == b) -> n++
  :: else -> break
  od;
  me.bundle = b;
  me.nonce = n;
  me.phase = BundlePhase_HELD;
  me.claim = ClaimPhase_UNCLAIMED
}

inline begin() {
  moveBundle(BundleTrigger_BEGIN);
  if
  :: CLAIMS -> acquire()
  :: else ->
    if
    :: DELETED_EARLY -> queued[me.bundle] = 0
    :: else
    fi;
    me.nonce = 0;
    moveBundle(BundleTrigger_GRANTED);
    me.pending = tasksOf(me.bundle)
  fi
}

inline granted() {
  moveBundle(BundleTrigger_GRANTED);
  me.pending = tasksOf(me.bundle) & ~(me.done | me.childTasks);
  if
  :: MODE == AT_MOST_ONCE -> me.startsAsked = me.durableStarted
  :: else
  fi;
  if
  :: me.drainWanted -> moveBundle(BundleTrigger_DRAIN); me.drainWanted = 0
  :: else
  fi
}

inline grantedLosing() {
  moveBundle(BundleTrigger_GRANTED_LOSING);
  me.drainWanted = 0;
  n = tasksOf(me.bundle) & ~(me.done | me.childTasks);
  me.lost = n & me.durableStarted;
  me.reportedLost = me.lost;
  n = n & ~me.durableStarted;
  if
  :: n != 0 -> handOn()
  :: else
  fi
}

/* Hands the tasks in n to a new child. */
inline handOn() {
  assert(me.childTasks == 0 && me.bundle < BUNDLES - 1); /* the bounds hold all that can happen */
  me.childTasks = n;
  me.childSent = 0;
  soon()
}

/* Nothing of it is needed any more but the message. */
inline leftOver() {
  me.nonce = 0;
  me.attempt = 0;
  me.seq = 0;
  me.over = 0;
  me.overFirst = 0;
  me.overSucceeding = 0;
  me.trusted = 0;
  me.durableState = 0;
  me.durableStarted = 0;
  me.durableChild = 0;
  me.starts = 0;
  me.done = 0;
  me.childTasks = 0;
  me.childSent = 0;
  me.urgent = 0;
  me.changed = 0;
  me.drainWanted = 0;
  me.releaseTook = 0;
  me.startsAsked = 0;
  me.claim = 0
}

/* Effects that are on their way when a bundle is closed may still arrive. */
inline close() {
  strayResults = strayResults | (me.sending & ~me.reportedLost & ~shown);
  strayLost = strayLost | (me.sending & me.reportedLost & ~replied);
  if
  :: me.childOnItsWay -> strayChild[me.bundle + 1] = 1
  :: else
  fi;
  leftOver();
  answered();
  me.phase = BundlePhase_CLOSED;
  me.bundle = 0;
  me.childOnItsWay = 0;
  me.pending = 0;
  me.running = 0;
  me.finished = 0;
  me.lost = 0;
  me.reportedLost = 0;
  me.sending = 0
}

/* A call may arrive when its caller waits for it no longer; one such call at a time is kept. */
inline leaveCallBehind() {
  late.call = me.call;
  late.bundle = me.bundle;
  late.nonce = me.nonce;
  late.attempt = (me.call == Call_ACQUIRE -> me.seenAttempt : me.attempt);
  late.seq = (me.call == Call_WRITE -> me.seq : 0);
  late.mode = me.mode;
  late.expected = (me.call == Call_WRITE -> me.durableState : 0);
  late.state = me.callState;
  late.started = me.callStarted;
  late.done = me.callDone;
  late.childTasks = me.callChild;
  late.childSent = me.callChildSent
}

inline mayLeaveCallBehind() {
  if
  :: true
  :: me.call != 0 && late.call == 0 -> leaveCallBehind()
  fi
}

#define active (me.phase == BundlePhase_RUNNING || me.phase == BundlePhase_LOSING || me.phase == BundlePhase_DRAINING)
#define nothingOnItsWay (me.finished == 0 && me.lost == 0 && me.sending == 0)

/* TaskLedger.take: the lowest position first */
#define next (mayStart & 1 -> 1 : (mayStart & 2 -> 2 : 0))

inline start(task) {
  me.pending = me.pending & ~(task);
  me.running = me.running | (task);
#if MODE != AT_LEAST_ONCE
#ifndef OVERLAP_ALLOWED
  /* no start without the claim */
  assert(claims[me.bundle].state == ClaimState_LEASED && claims[me.bundle].nonce == me.nonce &&
         claims[me.bundle].attempt == me.attempt);
  /* a task is one bundle's, and no other's */
  assert((claims[me.bundle].childTasks & (task)) == 0);
  assert(me.bundle == 0 || (claims[me.bundle - 1].childTasks & (task)) != 0);
  /* what is recorded, or reported LOST, never starts again */
  assert((recordedOnce & (task)) == 0);
  assert(MODE != AT_MOST_ONCE || (replied & (task)) == 0);
  /* it starts again only if its worker died, lost its lease or was drained */
  assert((startedOnce & ~excused & (task)) == 0);
  excused = excused & ~(task);
#endif
#endif
#if MODE == AT_MOST_ONCE
  /* no task starts twice, and none whose start is not recorded */
  assert((startedOnce & (task)) == 0);
  assert((claims[me.bundle].started & (task)) != 0);
#endif
  startedOnce = startedOnce | (task)
}

inline finish(tasks) {
  me.running = me.running & ~(tasks);
  me.finished = me.finished | (tasks);
#ifdef BUG_RECORDED_BEFORE_REPLIED
  me.done = me.done | (tasks);
  me.changed = 1;
#endif
  settle()
}

inline interrupted() {
  excused = excused | me.running;
  if
  :: MODE == AT_MOST_ONCE -> me.lost = me.lost | me.running; me.reportedLost = me.reportedLost | me.running
  :: else -> me.pending = me.pending | me.running
  fi;
  me.running = 0;
  settle()
}

/* The response queue accepts what was sent. */
inline replyAccepted() {
  if
  :: (me.sending & me.reportedLost) != 0 -> collectLost(me.sending)
  :: else -> collectResults(me.sending)
  fi
}

inline resultsAccepted() {
  if
  :: CLAIMS -> me.done = me.done | me.sending; me.changed = 1
  :: else
  fi;
  me.reportedLost = me.reportedLost & ~me.sending;
  me.sending = 0;
  settle()
}

inline resultsFailed() {
  me.lost = me.lost | (me.sending & me.reportedLost);
  me.finished = me.finished | (me.sending & ~me.reportedLost);
  me.sending = 0;
  settle()
}

/* The request queue accepts a child. */
inline requestAccepted(kid, handed) {
  /* one id, one set of tasks, for ever */
  assert(!sentOnce[kid] || tasksOf(kid) == handed);
  queued[kid] = 1;
  sentOnce[kid] = 1;
  if
  :: kid == 1 -> tasksOf1 = handed
  :: kid == 2 -> tasksOf2 = handed
  :: kid == 3 -> tasksOf3 = handed
  fi
}

inline childAccepted() {
  me.childOnItsWay = 0;
  me.childSent = 1;
  me.changed = 1;
  settle()
}

inline childFailed() {
  me.childOnItsWay = 0;
  settle()
}

/* Looks at where everything stands, and does what is due. */
inline settle() {
  if
  :: active && valid ->
    sendResults();
    if
    :: childrenRecorded != 0 && !me.childSent && !me.childOnItsWay -> me.childOnItsWay = 1
    :: else
    fi;
    finishIfSettled()
  :: else
  fi
}

inline sendResults() {
  if
  :: me.sending == 0 && me.lost != 0 -> me.sending = me.lost; me.lost = 0
  :: me.sending == 0 && me.lost == 0 && me.finished != 0 -> me.sending = me.finished; me.finished = 0
  :: else
  fi
}

inline finishIfSettled() {
  if
  :: me.running == 0 && nothingOnItsWay && me.pending == 0 && allChildrenSent -> end()
  :: me.running == 0 && nothingOnItsWay && me.pending != 0 && me.phase == BundlePhase_DRAINING -> release()
  :: else
  fi
}

inline end() {
  if
  :: DELETED_EARLY -> queued[me.bundle] = 0
  :: else
  fi;
  moveBundle(BundleTrigger_SETTLED);
  if
  :: CLAIMS -> moveClaim(ClaimTrigger_END); soon()
  :: else -> moveBundle(BundleTrigger_ENDED)
  fi
}

inline release() {
  moveBundle(BundleTrigger_RELEASE);
  if
  :: CLAIMS ->
    if
    :: MODE == AT_MOST_ONCE -> me.starts = me.starts & ~me.pending
    :: else
    fi;
    moveClaim(ClaimTrigger_RELEASE);
    soon()
  :: else -> moveBundle(BundleTrigger_RELEASED); close()
  fi
}

inline handOff() {
  n = me.pending;
  me.pending = 0;
  me.starts = me.starts & ~n;
  handOn();
  settle()
}

inline drain() {
  if
  :: me.phase == BundlePhase_CLAIMING -> me.drainWanted = 1
  :: me.phase == BundlePhase_RUNNING -> moveBundle(BundleTrigger_DRAIN)
  fi;
  settle()
}

inline deleteMessage() {
#if MODE != AT_LEAST_ONCE
  /* the message is deleted only after DONE */
  assert(claims[me.bundle].state == ClaimState_DONE);
#else
  assert((tasksOf(me.bundle) & ~replied) == 0);
#endif
  queued[me.bundle] = 0;
  moveBundle(BundleTrigger_DELETED);
  close()
}

/* Whether the message may be received. Where another's lease lives it would be put back: that it is received there at
   all, before the lease ends, is an event. The first idle worker takes it; both are alike. */
#define idle(v) (ws[v].phase == BundlePhase_CLOSED)
#define receivable(b) (queued[b] && idle(w) && (w == 0 || !idle(0)))
#define wanted(b) (!CLAIMS || !leased(b) || expired(b))

inline mayReceive(b) {
  receivable(b);
  if
  :: wanted(b)
  :: !wanted(b) && events > 0 -> events--
  fi;
  if
  :: MODE == AT_MOST_ONCE -> me.startsAsked = tasksOf(b)
  :: MODE == AT_MOST_ONCE && tasksOf(b) == ALL -> me.startsAsked = 1 /* the lower one */
  :: MODE != AT_MOST_ONCE
  fi
}

#define SAY(what) printf(what, w, me.bundle)

proctype Worker(byte w) {
endIdle:
  do
  /* Begin; what is only held differs from what is not received in nothing that the protocol sees */
  :: atomic { mayReceive(0); receive(0); begin(); SAY("worker %d: receives bundle %d, Begin\n") }
  :: atomic { mayReceive(1); receive(1); begin(); SAY("worker %d: receives bundle %d, Begin\n") }
#if BUNDLES > 2
  :: atomic { mayReceive(2); receive(2); begin(); SAY("worker %d: receives bundle %d, Begin\n") }
#endif
#if BUNDLES > 3
  :: atomic { mayReceive(3); receive(3); begin(); SAY("worker %d: receives bundle %d, Begin\n") }
#endif

  /* take; at-most-once: asks for more starts */
  :: d_step { me.phase == BundlePhase_RUNNING && valid && next != 0 ->
              n = next;
              printf("worker %d: starts tasks %d\n", w, n);
              start(n);
              settle() }
  :: d_step { MODE == AT_MOST_ONCE && me.phase == BundlePhase_RUNNING && valid &&
              (me.pending & ~me.startsAsked) != 0 ->
              SAY("worker %d: asks for more starts of bundle %d\n");
              me.startsAsked = me.startsAsked | me.pending;
              me.starts = me.starts | me.startsAsked;
              soon() }

  :: d_step { (me.running & 1) != 0 -> SAY("worker %d: task 1 of bundle %d Finished\n"); finish(1) }
  :: d_step { (me.running & 2) != 0 -> SAY("worker %d: task 2 of bundle %d Finished\n"); finish(2) }
  :: d_step { me.running == ALL -> SAY("worker %d: both tasks of bundle %d Finished\n"); finish(ALL) }
  :: d_step { me.phase == BundlePhase_DRAINING && me.running != 0 ->
              SAY("worker %d: what runs of bundle %d is Interrupted\n");
              interrupted() }

  /* the queues' answers */
  :: d_step { me.sending != 0 -> SAY("worker %d: ResultsAccepted of bundle %d\n"); replyAccepted(); resultsAccepted() }
  :: d_step { me.sending != 0 && events > 0 ->
              events--;
              SAY("worker %d: results of bundle %d accepted, the answer lost: ResultsFailed\n");
              replyAccepted();
              resultsFailed() }
  :: d_step { me.childOnItsWay ->
              SAY("worker %d: ChildAccepted, child of bundle %d\n");
              requestAccepted(me.bundle + 1, me.childTasks);
              childAccepted() }
  :: d_step { me.childOnItsWay && events > 0 ->
              events--;
              SAY("worker %d: child of bundle %d accepted, the answer lost: ChildFailed\n");
              requestAccepted(me.bundle + 1, me.childTasks);
              childFailed() }
  :: d_step { me.phase == BundlePhase_DELETING -> SAY("worker %d: message of bundle %d Deleted\n"); deleteMessage() }

  :: d_step { CLAIMS && events > 0 && me.phase == BundlePhase_RUNNING && valid && me.pending != 0 &&
              me.bundle < BUNDLES - 1 && me.childTasks == 0 ->
              events--;
              SAY("worker %d: HandOff of bundle %d\n");
              handOff() }
  :: d_step { events > 0 && ((me.phase == BundlePhase_CLAIMING && !me.drainWanted) ||
              me.phase == BundlePhase_RUNNING) ->
              events--;
              SAY("worker %d: Drain, with bundle %d\n");
              drain() }

  /* Tick: renews, with what there is to say; notices a lease that is over */
  :: d_step { me.changed && me.call == 0 && valid -> SAY("worker %d: Tick, a heartbeat for bundle %d\n"); soon() }
  :: atomic { (me.claim == ClaimPhase_LEASED || me.claim == ClaimPhase_LOSING) && overNoticed ->
              SAY("worker %d: Tick, the lease of bundle %d is over\n");
              mayLeaveCallBehind();
              d_step { checkLease() } }

  /* it is paused past its lease, and goes on */
  :: d_step { CLAIMS && events > 0 && me.nonce != 0 && !(me.over && (me.overCall || me.call == 0)) ->
              events--;
              SAY("worker %d: is paused past its lease of bundle %d\n");
              excused = excused | tasksOf(me.bundle);
              me.over = 1;
              me.overCall = (me.call != 0);
              me.overFirst = (me.claim == ClaimPhase_ACQUIRING || me.claim == ClaimPhase_SUCCEEDING);
              me.overSucceeding = (me.claim == ClaimPhase_SUCCEEDING) }
#ifdef STALLED_START
  /* it stalls between the check of its lease and a start: the known limit */
  :: d_step { me.phase == BundlePhase_RUNNING && me.claim == ClaimPhase_LEASED && me.over && next != 0 ->
              n = next;
              printf("worker %d: starts tasks %d, stalled since it checked its lease\n", w, n);
              start(n) }
#endif

  /* it dies */
  :: atomic { events > 0 && !idle(w) ->
              SAY("worker %d: dies, with bundle %d\n");
              mayLeaveCallBehind();
              d_step { events--; excused = excused | tasksOf(me.bundle); close() } }
  od
}

/* ---- DynamoDB, SQS and time */

/* AcquireAnswered, WriteAnswered. The answer is read at once: to read it touches nothing but the worker's own, so
   that an answer under way is not told apart from a call under way. */
inline carryOut() {
  if
  :: me.call == Call_ACQUIRE ->
    ClaimRules_acquire(me.bundle, me.mode, me.nonce, me.seenAttempt, me.callStarted)
  :: me.call == Call_WRITE ->
    ClaimRules_write(me.bundle, me.attempt, me.nonce, me.seq, me.durableState, me.callState, me.callStarted,
                     me.callDone, me.callChild, me.callChildSent)
  fi
}

inline answer() {
  if
  :: me.call == Call_ACQUIRE && accepted -> acquired()
  :: me.call == Call_ACQUIRE && !accepted -> acquireRefused()
  :: me.call == Call_WRITE && accepted -> written()
  :: me.call == Call_WRITE && !accepted -> writeRefused()
  fi;
  settle()
}

/* AcquireFailed, WriteFailed */
inline fail() {
  if
  :: me.call == Call_ACQUIRE -> acquireFailed()
  :: me.call == Call_WRITE -> writeFailed()
  fi;
  settle()
}

/* A late call that will be refused whenever it arrives need not be kept: attempt and seq only grow, and DONE is for
   good. */
inline forgetRefused() {
  if
  :: !LATE_MATTERS && late.call != 0 &&
     (claims[late.bundle].state == ClaimState_DONE ||
      (late.mode == Mode_LOSING && late.attempt != claims[late.bundle].attempt) ||
      (late.call == Call_WRITE &&
       (late.attempt != claims[late.bundle].attempt || late.seq <= claims[late.bundle].seq))) ->
    forgetLate()
  :: else
  fi
}

inline carryOutLate() {
  if
  :: late.call == Call_ACQUIRE ->
    ClaimRules_acquire(late.bundle, late.mode, late.nonce, late.attempt, late.started)
  :: late.call == Call_WRITE ->
    ClaimRules_write(late.bundle, late.attempt, late.nonce, late.seq, late.expected, late.state, late.started,
                     late.done, late.childTasks, late.childSent)
  fi;
  forgetLate()
}

inline forgetLate() {
  late.call = 0;
  late.bundle = 0;
  late.nonce = 0;
  late.attempt = 0;
  late.seq = 0;
  late.mode = 0;
  late.expected = 0;
  late.state = 0;
  late.started = 0;
  late.done = 0;
  late.childTasks = 0;
  late.childSent = 0
}

#define SHOW(b) \
  printf("   claim %d: %e, nonce %d, attempt %d, ", b, claims[b].state, claims[b].nonce, claims[b].attempt); \
  printf("started %d, done %d, child %d\n", claims[b].started, claims[b].done, claims[b].childTasks)
#define CALL(what) printf(what, w, me.call, me.mode, me.callState)

/* DynamoDB, as worker w sees it. */
proctype ClaimStore(byte w) {
endIdle:
  do
  :: d_step { me.call != 0 ->
              CALL("worker %d: %e %e %e is carried out\n");
              carryOut();
              SHOW(me.bundle);
              forgetRefused();
              answer() }
  :: d_step { me.call != 0 && events > 0 ->
              events--;
              CALL("worker %d: %e %e %e is carried out, its answer lost\n");
              carryOut();
              SHOW(me.bundle);
              forgetRefused();
              fail() }
  :: d_step { me.call != 0 && events > 0 && late.call == 0 ->
              events--;
              CALL("worker %d: %e %e %e fails, and may arrive later\n");
              leaveCallBehind();
              fail() }
  :: d_step { me.call != 0 && events > 0 && late.call == 0 ->
              events--;
              CALL("worker %d: %e %e %e is sent twice, and one of the two may arrive later\n");
              leaveCallBehind() }
  od
}

#define APPEAR_AGAIN(b) \
  :: d_step { events > 0 && sentOnce[b] && !queued[b] -> \
              events--; \
              printf("the message of bundle %d is there again\n", b); \
              queued[b] = 1 }
#define STRAY_CHILD(b) \
  :: d_step { strayChild[b] -> \
              printf("bundle %d is sent late\n", b); \
              strayChild[b] = 0; \
              requestAccepted(b, claims[b - 1].childTasks) } \
  :: d_step { strayChild[b] -> strayChild[b] = 0 }

/* What time brings. */
proctype World() {
endIdle:
  do
  /* a message that was deleted, or a second copy of it */
  APPEAR_AGAIN(0)
  APPEAR_AGAIN(1)
#if BUNDLES > 2
  APPEAR_AGAIN(2)
#endif
#if BUNDLES > 3
  APPEAR_AGAIN(3)
#endif
  /* what was left behind arrives, or never does */
  :: d_step { late.call != 0 ->
              printf("a late %e %e %e, nonce %d, arrives\n", late.call, late.mode, late.state, late.nonce);
              n = late.bundle;
              carryOutLate();
              SHOW(n) }
  :: d_step { late.call != 0 -> forgetLate() }
  :: d_step { strayResults != 0 ->
              n = strayResults;
              printf("results of tasks %d arrive late\n", n);
              strayResults = 0;
              collectResults(n) }
  :: d_step { strayResults != 0 -> strayResults = 0 }
  :: d_step { strayLost != 0 ->
              n = strayLost;
              printf("LOST of tasks %d arrives late\n", n);
              strayLost = 0;
              collectLost(n) }
  :: d_step { strayLost != 0 -> strayLost = 0 }
  STRAY_CHILD(1)
#if BUNDLES > 2
  STRAY_CHILD(2)
#endif
#if BUNDLES > 3
  STRAY_CHILD(3)
#endif
  od
}

/* The client: LOST is shown when everything else is in, and nothing has come for a while. */
proctype Client() {
endIdle:
  do
  :: d_step { provisionalLost != 0 && lostMayBeShown ->
              printf("the client shows LOST for tasks %d\n", provisionalLost);
              shown = shown | provisionalLost;
              shownLost = provisionalLost;
              provisionalLost = 0 }
  od
}

/* Nothing can happen any more: every task has its result, and nothing is left over. */
proctype End() {
  byte b;
  timeout ->
  d_step {
    assert(shown == ALL && replied == ALL);
    do
    :: b < BUNDLES ->
      assert(!queued[b]);
      assert(!CLAIMS || !sentOnce[b] || claims[b].state == ClaimState_DONE);
      b++
    :: else -> break
    od
  }
}

init {
  d_step {
    tables();
    tasksOf0 = ALL;
    queued[0] = 1;
    sentOnce[0] = 1;
    ws[0].phase = BundlePhase_CLOSED;
    ws[1].phase = BundlePhase_CLOSED
  };
  atomic {
    run ClaimStore(0);
    run ClaimStore(1);
    run World();
    run Client();
    run End();
    run Worker(0);
    run Worker(1)
  }
}
