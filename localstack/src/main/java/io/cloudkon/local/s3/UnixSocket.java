package io.cloudkon.local.s3;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Makes S3Mock listen on a Unix domain socket and on no port. S3Mock answers anyone who reaches it,
 * also web pages from any origin; the socket is in a folder that only this user can enter.
 *
 * <p>Neither S3Mock nor Spring Boot has an option for this, Tomcat has one. Their interfaces are
 * implemented by proxies, because their jars cannot be compiled against.
 */
final class UnixSocket {
  private static final String BOOT = "org.springframework.boot.";
  private static final String TOMCAT = BOOT + "web.embedded.tomcat.";

  private final Path path;

  UnixSocket(Path path) {
    this.path = path;
  }

  /** The one method of an interface that matters. */
  private interface Implementation {
    @Nullable Object call(Object[] arguments) throws ReflectiveOperationException;
  }

  /**
   * Runs {@code application}, which starts a Spring Boot application with Tomcat.
   *
   * @throws ReflectiveOperationException if these are not the versions that this class knows
   */
  void use(Runnable application) throws ReflectiveOperationException {
    Class<?> hook = Class.forName(BOOT + "SpringApplicationHook");
    Object listener =
        implement(
            BOOT + "SpringApplicationRunListener",
            "contextPrepared",
            arguments -> watchBeans(arguments[0]));
    Class.forName(BOOT + "SpringApplication")
        .getMethod("withHook", hook, Runnable.class)
        .invoke(null, implement(hook.getName(), "getRunListener", _ -> listener), application);
  }

  private @Nullable Object watchBeans(Object context) throws ReflectiveOperationException {
    Object beans = context.getClass().getMethod("getBeanFactory").invoke(context);
    String processor = "org.springframework.beans.factory.config.BeanPostProcessor";
    Object watching =
        implement(processor, "postProcessBeforeInitialization", bean -> changed(bean[0]));
    beans
        .getClass()
        .getMethod("addBeanPostProcessor", Class.forName(processor))
        .invoke(beans, watching);
    return null;
  }

  private Object changed(Object bean) throws ReflectiveOperationException {
    if (bean.getClass().getName().equals(TOMCAT + "TomcatServletWebServerFactory")) {
      collection(bean, "getAdditionalTomcatConnectors").clear();
      collection(bean, "getTomcatConnectorCustomizers")
          .add(
              implement(
                  TOMCAT + "TomcatConnectorCustomizer",
                  "customize",
                  connector -> bind(connector[0])));
    }
    return bean;
  }

  private @Nullable Object bind(Object connector) throws ReflectiveOperationException {
    connector
        .getClass()
        .getMethod("setProperty", String.class, String.class)
        .invoke(connector, "unixDomainSocketPath", path.toString());
    return null;
  }

  @SuppressWarnings("unchecked") // what the getters' signatures say
  private static Collection<Object> collection(Object bean, String getter)
      throws ReflectiveOperationException {
    return (Collection<Object>) bean.getClass().getMethod(getter).invoke(bean);
  }

  /** An instance of an interface whose other methods keep their defaults. */
  private static Object implement(String type, String method, Implementation implementation)
      throws ClassNotFoundException {
    Class<?> implemented = Class.forName(type);
    return Proxy.newProxyInstance(
        implemented.getClassLoader(),
        new Class<?>[] {implemented},
        (proxy, called, arguments) -> {
          if (called.getName().equals(method)) {
            return call(implementation, arguments);
          }
          return called.isDefault()
              ? InvocationHandler.invokeDefault(proxy, called, arguments)
              : ofObject(proxy, called, arguments);
        });
  }

  private static @Nullable Object call(Implementation implementation, Object[] arguments)
      throws Throwable {
    try {
      return implementation.call(arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @SuppressWarnings("ReferenceEquality") // a proxy equals itself only
  private static Object ofObject(Object proxy, Method called, Object[] arguments) {
    return switch (called.getName()) {
      case "equals" -> proxy == arguments[0];
      case "hashCode" -> System.identityHashCode(proxy);
      default -> "cloudkon's " + proxy.getClass().getInterfaces()[0].getSimpleName();
    };
  }
}
