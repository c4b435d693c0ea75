package io.cloudkon.core.aws.ec2;

import io.cloudkon.core.aws.Ec2Service;
import io.cloudkon.core.error.CloudKonException;
import java.util.Locale;
import java.util.function.Function;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.model.Ec2Exception;

/** Makes calls to EC2, and turns the SDK's exceptions into CloudKon's. Thread safe. */
final class Ec2Calls {
  private static final String DENIED = "UnauthorizedOperation";

  /** The code for, among others, an instance that is protected from termination. */
  private static final String PROTECTED = "OperationNotPermitted";

  private final Ec2Service ec2;

  Ec2Calls(Ec2Service ec2) {
    this.ec2 = ec2;
  }

  /** Makes a call whose refusals the caller does not handle. */
  <T> T make(String operation, String kind, String resource, Function<Ec2Client, T> call) {
    try {
      return call.apply(ec2.client());
    } catch (SdkException e) {
      throw explain(operation, kind, resource, e);
    }
  }

  /** Makes a call whose refusals the caller handles. */
  <T> T raw(Function<Ec2Client, T> call) {
    return call.apply(ec2.client());
  }

  /** Translates an exception of the SDK into CloudKon's; a denial has its own type. */
  CloudKonException explain(String operation, String kind, String resource, SdkException e) {
    if (e instanceof Ec2Exception answer && code(answer).equals(DENIED)) {
      return new DeniedException(denial(operation, kind, resource, answer), e);
    }
    if (e instanceof Ec2Exception answer && code(answer).equals(PROTECTED)) {
      return new DeniedException(protection(operation, kind, resource, answer), e);
    }
    return ec2.explain(operation, kind, resource, e);
  }

  private static String denial(
      String operation, String kind, String resource, Ec2Exception answer) {
    return "ec2:%s on %s '%s' was denied: %s; allow it in the policy of these credentials"
        .formatted(operation, kind, resource, LaunchErrors.line(message(answer)));
  }

  private static String protection(
      String operation, String kind, String resource, Ec2Exception answer) {
    return "ec2:%s on %s '%s' is not permitted: %s; remove the protection first"
        .formatted(operation, kind, resource, LaunchErrors.line(message(answer)));
  }

  /** Whether EC2 refuses the action on this resource, although it may permit it on another. */
  static boolean forbidden(Ec2Exception e) {
    return code(e).equals(DENIED) || code(e).equals(PROTECTED);
  }

  /** Whether this code of EC2 means that something does not exist, or has an invalid name. */
  static boolean unknown(Ec2Exception e) {
    String code = code(e).toLowerCase(Locale.ROOT);
    return code.contains("notfound") || code.contains("malformed");
  }

  static String code(AwsServiceException e) {
    return e.awsErrorDetails() == null || e.awsErrorDetails().errorCode() == null
        ? ""
        : e.awsErrorDetails().errorCode();
  }

  static String message(AwsServiceException e) {
    return e.awsErrorDetails() == null || e.awsErrorDetails().errorMessage() == null
        ? String.valueOf(e.getMessage())
        : e.awsErrorDetails().errorMessage();
  }
}
