package io.cloudkon.launch;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.util.Enumeration;
import java.util.jar.Attributes;
import java.util.jar.Manifest;

/**
 * Starts the program that the jar's manifest names under {@value #ATTRIBUTE}, or prints one line on
 * standard error that this Java version is too old and exits with 2.
 *
 * <p>Compiled for Java 8, so it must not use anything newer or load a class of the program before
 * the check.
 */
public final class Main {
  private static final int NEEDED = 25;
  private static final String ATTRIBUTE = "CloudKon-Main";

  /**
   * The manifest attribute that names the jar that must be next to this one, if this one omits that
   * jar's classes.
   */
  private static final String BASE = "CloudKon-Base";

  private static final String CARRIERS = "jdk.virtualThreadScheduler.parallelism";

  /** The property with the number of carriers, if it was set here and not by the user. */
  private static final String OWN_CARRIERS = "cloudkon.carriers";

  /**
   * The minimum number of carrier threads of virtual threads; if there are more cores, there is one
   * per core. A virtual thread that waits until another one has loaded or initialized a class keeps
   * its carrier. With two carriers, the default on two cores, both can be kept in this way at a
   * program's start while the thread for which they wait has none, and the program hangs forever.
   */
  private static final int MIN_CARRIERS = 16;

  private Main() {}

  /** Checks the Java version, then passes {@code args} to the program. */
  public static void main(String[] args) throws Throwable {
    String version = System.getProperty("java.specification.version", "0");
    if (feature(version) < NEEDED) {
      System.err.println(tooOld(version, System.getProperty("java.home", "")));
      System.exit(2);
    }
    Attributes jar = attributes();
    String base = jar.getValue(BASE);
    File self = new File(System.getProperty("java.class.path", ""));
    if (base != null && !new File(self.getAbsoluteFile().getParentFile(), base).isFile()) {
      System.err.println(incomplete(self.toString(), base));
      System.exit(2);
    }
    if (System.getProperty(CARRIERS) == null) {
      // read when the first virtual thread starts
      String carriers = String.valueOf(carriers(Runtime.getRuntime().availableProcessors()));
      System.setProperty(CARRIERS, carriers);
      System.setProperty(OWN_CARRIERS, carriers);
    }
    try {
      Class.forName(jar.getValue(ATTRIBUTE))
          .getMethod("main", String[].class)
          .invoke(null, (Object) args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  static int carriers(int cores) {
    return Math.max(cores, MIN_CARRIERS);
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

  static String incomplete(String jar, String base) {
    return "CloudKon cannot start: "
        + jar
        + " needs "
        + base
        + " beside it, which is not there; keep the jars of an installation together.";
  }

  private static Attributes attributes() throws IOException {
    // The jar that was started comes first on the class path, so its manifest is read first.
    Enumeration<URL> manifests = Main.class.getClassLoader().getResources("META-INF/MANIFEST.MF");
    while (manifests.hasMoreElements()) {
      try (InputStream in = manifests.nextElement().openStream()) {
        Attributes attributes = new Manifest(in).getMainAttributes();
        if (attributes.getValue(ATTRIBUTE) != null) {
          return attributes;
        }
      }
    }
    throw new IllegalStateException("No manifest on the class path names a " + ATTRIBUTE + ".");
  }
}
