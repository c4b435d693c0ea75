package io.cloudkon.core.testing.ec2;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A request in EC2's query protocol: names with dots and numbers, and their values. Immutable. */
public record Ec2Query(Map<String, String> parameters) {
  public Ec2Query {
    parameters = Map.copyOf(parameters);
  }

  /** Reads a form. */
  static Ec2Query parse(String form) {
    Map<String, String> all = new TreeMap<>();
    for (String pair : form.split("&")) {
      int sign = pair.indexOf('=');
      if (sign > 0) {
        all.put(
            URLDecoder.decode(pair.substring(0, sign), UTF_8),
            URLDecoder.decode(pair.substring(sign + 1), UTF_8));
      }
    }
    return new Ec2Query(all);
  }

  /** What is asked for, such as {@code CreateFleet}. */
  public String action() {
    return text("Action");
  }

  /** A value; empty if there is none. */
  public String text(String name) {
    return parameters.getOrDefault(name, "");
  }

  /** The values {@code name.1}, {@code name.2} and so on. */
  public List<String> texts(String name) {
    List<String> all = new ArrayList<>();
    for (int k = 1; parameters.containsKey(name + "." + k); k++) {
      all.add(text(name + "." + k));
    }
    return all;
  }

  /** What stands below {@code name.1}, {@code name.2} and so on. */
  public List<Ec2Query> parts(String name) {
    List<Ec2Query> all = new ArrayList<>();
    for (int k = 1; ; k++) {
      Map<String, String> part = below(name + "." + k + ".");
      if (part.isEmpty()) {
        return all;
      }
      all.add(new Ec2Query(part));
    }
  }

  private Map<String, String> below(String prefix) {
    Map<String, String> part = new TreeMap<>();
    parameters.forEach((name, value) -> {
      if (name.startsWith(prefix)) {
        part.put(name.substring(prefix.length()), value);
      }
    });
    return part;
  }

  /** The tags that it gives to resources of a type. */
  public Map<String, String> tags(String resourceType) {
    Map<String, String> tags = new TreeMap<>();
    for (Ec2Query some : parts("TagSpecification")) {
      if (some.text("ResourceType").equals(resourceType)) {
        some.parts("Tag").forEach(tag -> tags.put(tag.text("Key"), tag.text("Value")));
      }
    }
    return tags;
  }

  /** The same but for its token: what the token stands for. */
  Map<String, String> besidesToken() {
    Map<String, String> rest = new TreeMap<>(parameters);
    rest.remove("ClientToken");
    return rest;
  }
}
