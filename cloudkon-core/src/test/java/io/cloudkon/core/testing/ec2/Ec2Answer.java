package io.cloudkon.core.testing.ec2;

/**
 * An answer of EC2.
 *
 * @param status of HTTP
 * @param body XML
 */
record Ec2Answer(int status, String body) {
  static Ec2Answer ok(String action, Xml inner) {
    return new Ec2Answer(200, Xml.answer(action, inner));
  }

  static Ec2Answer refused(int status, String code, String message) {
    return new Ec2Answer(status, Xml.error(code, message));
  }
}
