package io.cloudkon.examples.readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The rules of the stack's template use only functions that CloudFormation permits there. */
class StackRulesTest {
  /** The "supported functions" of the section Rules, from CloudFormation's user guide. */
  private static final Set<String> PERMITTED =
      Set.of(
          "Ref",
          "And",
          "Contains",
          "EachMemberEquals",
          "EachMemberIn",
          "Equals",
          "Not",
          "Or",
          "RefAll",
          "ValueOf",
          "ValueOfAll");

  private static final Pattern RULES =
      Pattern.compile("^Rules:\n(.*?)^[A-Z]", Pattern.DOTALL | Pattern.MULTILINE);
  private static final Pattern FUNCTION = Pattern.compile("!([A-Za-z]+)|Fn::([A-Za-z]+)");

  @Test
  void rules_use_only_functions_that_cloudformation_permits_in_rules() {
    Matcher rules = RULES.matcher(Documents.read(Documents.HOME.resolve("infra/cloudkon.yaml")));
    assertThat(rules.find()).isTrue();

    List<String> used =
        FUNCTION
            .matcher(rules.group(1))
            .results()
            .map(function -> function.group(1) == null ? function.group(2) : function.group(1))
            .toList();

    assertThat(used).hasSizeGreaterThan(5).allMatch(PERMITTED::contains);
  }
}
