package io.cloudkon.core.testing.ec2;

/** Writes the XML of EC2's answers. Not thread safe. */
final class Xml {
  private final StringBuilder text = new StringBuilder();

  /** An element with text in it. */
  Xml put(String name, Object value) {
    String escaped =
        value.toString().replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    text.append('<').append(name).append('>').append(escaped);
    text.append("</").append(name).append('>');
    return this;
  }

  /** An element with others in it. */
  Xml in(String name, Runnable inner) {
    text.append('<').append(name).append('>');
    inner.run();
    text.append("</").append(name).append('>');
    return this;
  }

  /** The body of an answer. */
  static String answer(String action, Xml inner) {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?><%sResponse xmlns=\"http://ec2.amazonaws.com/doc/2016-11-15/\"><requestId>r</requestId>%s</%sResponse>"
        .formatted(action, inner.text, action);
  }

  /** The body of a refusal. */
  static String error(String code, String message) {
    Xml error = new Xml().put("Code", code).put("Message", message);
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Response><Errors><Error>%s</Error></Errors><RequestID>r</RequestID></Response>"
        .formatted(error.text);
  }
}
