package io.cloudkon.hpc.rmi;

import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;

/**
 * Reads an answer before RMI does. No class other than those on its list is looked up, not even by
 * name.
 */
final class AnswerReader extends ObjectInputStream {
  private static final String INTS = "[I";

  private final AllowList answers;

  AnswerReader(InputStream in, AllowList answers) throws IOException {
    super(in);
    this.answers = answers;
    setObjectInputFilter(answers.filter(() -> {}));
  }

  /** Skips the data before the object. */
  AnswerReader skipTo(int bytes) throws IOException {
    readFully(new byte[bytes]);
    return this;
  }

  @Override
  protected Class<?> resolveClass(ObjectStreamClass description)
      throws IOException, ClassNotFoundException {
    String name = description.getName();
    if (name.equals(INTS)) {
      return int[].class;
    }
    if (!answers.allows(name)) {
      throw new InvalidClassException("a class that is not allowed in an answer");
    }
    return Class.forName(name, false, AnswerReader.class.getClassLoader());
  }

  @Override
  protected Class<?> resolveProxyClass(String[] interfaces) throws IOException {
    throw new InvalidClassException("a class that is not allowed in an answer");
  }
}
