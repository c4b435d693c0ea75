package io.cloudkon.simulator.cloud;

import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.simulator.load.Request;
import io.cloudkon.simulator.load.ResultMessage;
import org.jspecify.annotations.Nullable;

/** Is told of what takes place at the services, as it takes place. */
public interface CloudWatch {
  /** A claim changed. */
  void claimed(Request of, @Nullable Claim before, Claim after);

  /** A bundle was given back by workers that were sick, so many so far. */
  void givenBackSick(String bundle, int workers);

  /** A response queue has results, since that moment in microseconds. */
  void replied(ResultMessage results, long micros);

  /** The blob store has results, instead of a response queue that is gone. */
  void stored(ResultMessage results);

  /** Results that were in a response queue went with it, or were kept there for too long. */
  void gone(ResultMessage results);

  /** A claim that was done is forgotten, for want of memory. */
  void forgotten(Request of);
}
