package io.cloudkon.examples.readme;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * The policies of infra/cloudkon.yaml, with CloudFormation's functions worked out for a cluster Q
 * with the default bucket, and in capitals what differs from account to account.
 */
final class StackTemplate {
  private static final Pattern REFERENCE = Pattern.compile("\\$\\{(!?)([^}]+)}");

  private static final Map<String, String> NAMES =
      Map.of(
          "AWS::Partition", "aws",
          "AWS::Region", "REGION",
          "AWS::AccountId", "ACCOUNT",
          "Queue", "Q",
          "LaunchTemplate", "LAUNCH-TEMPLATE",
          "WorkerSecurityGroup", "SECURITY-GROUP");

  private final Map<String, Node> parameters;
  private final Map<String, Node> resources;

  StackTemplate(String yaml) {
    Map<String, Node> all = entries(new Yaml(new LoaderOptions()).compose(new StringReader(yaml)));
    this.parameters = entries(all.get("Parameters"));
    this.resources = entries(all.get("Resources"));
  }

  static StackTemplate read() {
    return new StackTemplate(Documents.read(Documents.HOME.resolve("infra/cloudkon.yaml")));
  }

  /** The document of the managed policy of a role: "Client", "Worker" and so on. */
  Object policy(String role) {
    return plain(property(role + "Policy", "PolicyDocument"));
  }

  /** The roles: resources called …Role, by the part before it. */
  List<String> roles() {
    return resources.keySet().stream()
        .filter(name -> name.endsWith("Role"))
        .map(name -> name.substring(0, name.length() - "Role".length()))
        .sorted()
        .toList();
  }

  private Node property(String resource, String property) {
    Node found = resources.get(resource);
    if (found == null) {
      throw new AssertionError("infra/cloudkon.yaml has no resource " + resource);
    }
    return entries(entries(found).get("Properties")).get(property);
  }

  private Object plain(Node node) {
    return switch (node) {
      case MappingNode mapping -> {
        Map<String, Object> plain = new LinkedHashMap<>();
        entries(mapping).forEach((key, value) -> plain.put(key, plain(value)));
        yield plain;
      }
      case SequenceNode sequence when tag(sequence).equals("!If") -> chosen(sequence.getValue());
      case SequenceNode sequence -> {
        List<Object> plain = new ArrayList<>();
        sequence.getValue().forEach(value -> plain.add(plain(value)));
        yield plain;
      }
      case ScalarNode scalar -> plain(scalar);
      default -> throw new AssertionError("unexpected " + node);
    };
  }

  private Object chosen(List<Node> condition) {
    String name = ((ScalarNode) condition.getFirst()).getValue();
    if (!name.equals("DefaultBucket")) {
      throw new AssertionError(
          "policies hang on condition " + name + ": say here which way it goes");
    }
    return plain(condition.get(1));
  }

  private Object plain(ScalarNode scalar) {
    String value = scalar.getValue();
    return switch (tag(scalar)) {
      case "!Ref" -> parameters.containsKey(value) ? parameter(value) : named(value);
      case "!Sub" -> substituted(value);
      case "!GetAtt" -> attribute(value);
      default -> value;
    };
  }

  private Object parameter(String name) {
    if (NAMES.containsKey(name)) {
      return named(name);
    }
    Map<String, Node> parameter = entries(parameters.get(name));
    String value = ((ScalarNode) parameter.get("Default")).getValue();
    boolean list = ((ScalarNode) parameter.get("Type")).getValue().contains("List");
    return list ? List.of(value.split(",")) : value;
  }

  private String substituted(String text) {
    Function<MatchResult, String> value =
        reference ->
            reference.group(1).isEmpty()
                ? referred(reference.group(2))
                : "${" + reference.group(2) + "}"; // a variable of IAM's own
    return REFERENCE
        .matcher(text)
        .replaceAll(reference -> Matcher.quoteReplacement(value.apply(reference)));
  }

  private String referred(String name) {
    if (name.indexOf('.') >= 0) {
      return String.valueOf(attribute(name));
    }
    return String.valueOf(parameters.containsKey(name) ? parameter(name) : named(name));
  }

  private static String named(String name) {
    String value = NAMES.get(name);
    if (value == null) {
      throw new AssertionError("a policy refers to " + name + ": say here what to call it");
    }
    return value;
  }

  private String attribute(String path) {
    String resource = path.substring(0, path.indexOf('.'));
    if (!path.equals(resource + ".Arn")) {
      throw new AssertionError("a policy takes " + path + ": only ARNs are expected");
    }
    String type = ((ScalarNode) entries(resources.get(resource)).get("Type")).getValue();
    return switch (type) {
      case "AWS::SQS::Queue" ->
          "arn:aws:sqs:REGION:ACCOUNT:" + plain(property(resource, "QueueName"));
      case "AWS::DynamoDB::Table" ->
          "arn:aws:dynamodb:REGION:ACCOUNT:table/" + plain(property(resource, "TableName"));
      case "AWS::IAM::Role" ->
          "arn:aws:iam::ACCOUNT:role/"
              + resource.replaceAll("(?<=.)([A-Z])", "-$1").toUpperCase(Locale.ROOT);
      default -> throw new AssertionError("a policy names a resource of type " + type);
    };
  }

  private static String tag(Node node) {
    return node.getTag().getValue();
  }

  private static Map<String, Node> entries(Node node) {
    return ((MappingNode) node)
        .getValue().stream()
            .collect(
                Collectors.toMap(
                    tuple -> ((ScalarNode) tuple.getKeyNode()).getValue(),
                    NodeTuple::getValueNode,
                    (first, second) -> {
                      throw new AssertionError("a key stands twice");
                    },
                    LinkedHashMap::new));
  }
}
