package io.cloudkon.launch;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.util.Enumeration;
import java.util.jar.Manifest;

/**
 * Starts the program that the jar's manifest names under {@value #ATTRIBUTE}, or says in one line
 * on standard error that this Java is too old and exits with 2.
 *
 * <p>Compiled for Java 8, so it must use nothing newer and touch no class of the program before the
 * check.
 */
public final class Main {
  private static final int NEEDED = 25;
  private static final String ATTRIBUTE = "CloudKon-Main";

  private Main() {}

  /** Checks the running Java, then hands {@code args} to the program. */
  public static void main(String[] args) throws Throwable {
    String version = System.getProperty("java.specification.version", "0");
    if (feature(version) < NEEDED) {
      System.err.println(tooOld(version, System.getProperty("java.home", "")));
      System.exit(2);
    }
    String program = program();
    try {
      Class.forName(program).getMethod("main", String[].class).invoke(null, (Object) args);
    } catch (ClassNotFoundException e) {
      System.err.println(incomplete(program, System.getProperty("java.class.path", "")));
      System.exit(2);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** The feature release in a specification version: 8 in "1.8", 25 in "25". */
  static int feature(String specificationVersion) {
    String[] parts = specificationVersion.split("\\.");
    return Integer.parseInt(parts.length > 1 && parts[0].equals("1") ? parts[1] : parts[0]);
  }

  static String tooOld(String version, String home) {
    return "CloudKon needs Java "
        + NEEDED
        + " or newer; this is Java "
        + version
        + " ("
        + home
        + "). Install a JDK "
        + NEEDED
        + ", for example from https://adoptium.net, or set JAVA_HOME to one and run"
        + " $JAVA_HOME/bin/java.";
  }

  static String incomplete(String program, String jar) {
    return "The class "
        + program
        + " is not found: "
        + jar
        + " takes it from a jar that lay beside it when it was installed. Keep the folder of jars"
        + " together.";
  }

  private static String program() throws IOException {
    // The jar that was started comes first on the class path, so its manifest is the first one
    // asked.
    Enumeration<URL> manifests = Main.class.getClassLoader().getResources("META-INF/MANIFEST.MF");
    while (manifests.hasMoreElements()) {
      try (InputStream in = manifests.nextElement().openStream()) {
        String name = new Manifest(in).getMainAttributes().getValue(ATTRIBUTE);
        if (name != null) {
          return name;
        }
      }
    }
    throw new IllegalStateException("No manifest on the class path names a " + ATTRIBUTE + ".");
  }
}
