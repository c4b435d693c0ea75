package io.cloudkon.client.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.UsageException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateTest {

  private static Row row(String... values) {
    return new Row(7, List.of(values));
  }

  private static List<String> words(List<String> command, String... values) {
    return Template.of(command, false, values.length).words(row(values));
  }

  private static String line(List<String> command, String... values) {
    return Template.of(command, true, values.length).line(row(values));
  }

  /** As GNU parallel 20221122 has them. */
  @ParameterizedTest
  @CsvSource({
    "a.tar.gz,   a.tar,   a.tar.gz, .,   a.tar",
    "dir.d/a,    dir.d/a, a,        dir.d, a",
    ".bashrc,    '',      .bashrc,  .,   ''",
    "dir/.bashrc, dir/,   .bashrc,  dir, ''",
    "dir/,       dir/,    '',       .,   ''",
    "a/b/c.txt,  a/b/c,   c.txt,    a/b, c",
    "/x.y,       /x,      x.y,      /,   x",
    "/,          /,       '',       /,   ''",
    "'',         '',      '',       .,   ''",
    "a.,         a,       a.,       .,   a",
    "a b/c d.e,  a b/c d, c d.e,    a b, c d",
    "./x,        ./x,     x,        .,   x",
  })
  void forms_of_a_value(
      String value, String withoutExtension, String name, String folder, String nameAlone) {
    assertThat(words(List.of("p", "{}", "{.}", "{/}", "{//}", "{/.}"), value))
        .containsExactly("p", value, withoutExtension, name, folder, nameAlone);
  }

  @Test
  void value_is_one_argument_whatever_it_is_made_of() {
    String nasty = "-a b'c\"d$HOME\n*é;rm {} ";
    assertThat(words(List.of("p", "{}", "--in={}.x"), nasty))
        .containsExactly("p", nasty, "--in=" + nasty + ".x");
  }

  @Test
  void command_without_placeholder_gets_the_value_at_its_end() {
    assertThat(words(List.of("gzip", "-9"), "a.csv")).containsExactly("gzip", "-9", "a.csv");
    assertThat(words(List.of("p", "{#}"), "a")).containsExactly("p", "7");
  }

  @Test
  void values_of_several_sources_are_arguments_of_their_own_unless_they_are_part_of_a_word() {
    assertThat(words(List.of("p", "{}", "x{}y", "{2.}-{1}", "{/}"), "d/a b", "c.d"))
        .containsExactly("p", "d/a b", "c.d", "xd/a b c.dy", "c-d/a b", "a b", "c.d");
  }

  @Test
  void braces_that_are_no_placeholder_stay() {
    assertThat(words(List.of("awk", "{print $1}", "{}", "{x}", "{1", "{#.}"), "a"))
        .containsExactly("awk", "{print $1}", "a", "{x}", "{1", "{#.}");
    assertThat(words(List.of("grep", "A{1,1}", "{ 1 }", "{}"), "a"))
        .containsExactly("grep", "A{1,1}", "{ 1 }", "a");
  }

  @Test
  void shell_line_has_its_values_quoted() {
    assertThat(line(List.of("sort {} | head -n {2} > {1/.}.out"), "it's a.txt", "3"))
        .isEqualTo("sort 'it'\\''s a.txt' '3' | head -n '3' > 'it'\\''s a'.out");
    assertThat(line(List.of("cat", "{}", "|", "wc"), "-$x")).isEqualTo("cat '-$x' | wc");
    assertThat(line(List.of("echo"), "")).isEqualTo("echo ''");
  }

  @Test
  void value_in_quotes_of_the_line_is_refused() {
    for (String line : List.of("grep x \"{}\"", "awk '{print {1}}'", "echo \"it's {}\"")) {
      assertThatThrownBy(() -> Template.of(List.of(line), true, 1))
          .as(line)
          .isInstanceOf(UsageException.class)
          .hasMessageContaining("a placeholder is in quotes");
    }
    for (String line : List.of("find . -exec rm \\{} \\;", "echo it\\{1}", "p \\\\\\{}")) {
      assertThatThrownBy(() -> Template.of(List.of(line), true, 1))
          .as(line)
          .isInstanceOf(UsageException.class)
          .hasMessageContaining("a placeholder follows a backslash");
    }
    assertThat(line(List.of("p \\\\{} '\\'{} \\{#}"), "$x")).isEqualTo("p \\\\'$x' '\\''$x' \\'7'");
    assertThat(line(List.of("echo \"a\" {} 'b' \\' \"{#}\""), "$x"))
        .isEqualTo("echo \"a\" '$x' 'b' \\' \"'7'\"");
  }

  @Test
  void source_that_is_not_there_is_refused() {
    assertThatThrownBy(() -> Template.of(List.of("p", "{3}"), false, 2))
        .isInstanceOf(UsageException.class)
        .hasMessage("{3} names source 3, but there are 2; expected {1} to {2}");
    assertThatThrownBy(() -> Template.of(List.of("grep", "-E", "A{2}", "{}"), false, 1))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "{2} names source 2, but there is one; expected {1};"
                + " to repeat a regular expression 2 times, write {2,2}");
    assertThatThrownBy(() -> Template.of(List.of("p", "{0/}"), false, 1))
        .isInstanceOf(UsageException.class)
        .hasMessage("{0/} names source 0, but there is one; expected {1}");
  }

  /** In backquotes and here-documents, the shell ran what such a value spelled. */
  @Test
  void placeholder_where_quotes_do_not_protect_its_value_is_refused() {
    refused("echo `basename {}`", "is in backquotes");
    refused("echo \"`basename \"{}\"`\"", "is in backquotes");
    refused("echo `date '+%F' {}`", "is in backquotes");
    refused("echo \"$(basename \"{}\")\"", "is in quotes (\")");
    refused("cat <<X\n{}\nX", "follows a here-document");
    refused("cat <<-X # note\n{}\nX", "follows a here-document");
    refused("cat <<{#}\n{}\nX", "follows a here-document");
    refused("true # it's {}", "is in a comment");
    refused("# '\"\n '{}'", "is in quotes (')");
    refused("a $(b \\{})", "follows a backslash");
    for (String line :
        List.of(
            "echo $(( {} ))",
            "echo $(( 1 + ({}) ))",
            "echo $(((1)*({})))",
            "echo ${a[{}]}",
            "echo ${a:-{}}",
            "a[{}]=1",
            "a=([{}]=1)",
            "[[ {} -eq 1 ]]",
            "((cd x; p {}); q)")) {
      refused(line, "is in (( )), ${ } or a[ ]");
    }
    for (String line :
        List.of(
            "\"$(case $k in a) echo \"{}\";; esac)\"",
            "a $(case x in x) b;; esac) {}",
            "a $'it\\'s {}'",
            "echo $((1'))'2)) {}",
            "echo \"${x#'\"'}\" {}",
            "echo `echo '`' {}",
            "echo $[ {} ]",
            "((cat <<X); b)\n{}\nX",
            "cat [a<<X]\n{}\nX]",
            "echo $((1 << 3)) {}",
            "echo $(b)#' {}")) {
      refused(line, "follows a construct that only a shell can follow");
    }
    for (String line : List.of("echo ${}", "a=$\\\n{}", "echo \"b\"${}")) {
      refused(line, "follows a $");
    }
    refused("printf %s \\ #'\n{}'", "is in quotes (')");
    refused("\"\\$('\" ')\" {} '", "is in quotes (')");
    refused("cat <\\\n<X\n{}\nX", "follows a here-document");
  }

  private static void refused(String line, String problem) {
    assertThatThrownBy(() -> line(List.of(line), "v"))
        .as(line)
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("--shell: a placeholder " + problem);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a {} \"b\" 'c\\' {}",
        "echo $(basename {}) `date '+%F'` {}",
        "cat >{} <<X {}\ndon't\nX",
        "cat <<<x\ncat {}",
        "echo $# ${#x} a#b {}#c {}",
        "case x in (a) b {};; c) d {};; esac\ne {}",
        "# don't\ne {}",
        "a '<<'\nb {}",
        "a --seed $((1000 + 2 * (3 + 4))) {} ${x%.*} \"${x##*/}\" [a-z]* {}",
        "[ {} = a ] && if [ {} ]; then b $'\\t' {}; fi",
        "( ( a {}; b ) ) \"in case of\" {}",
        "a $(b $(c {}) \"$(d)\") {}",
        "[[ \"$x\" == y ]] && a {} ${x:-'b'} ${x//\\//_} [\"$x\"] {}",
        "a \\\n  {} \\\\ {}",
      })
  void placeholder_where_quotes_protect_its_value_is_taken(String line) {
    assertThat(line(List.of(line), "v")).isEqualTo(line.replace("{}", "'v'"));
  }

  @Test
  void line_that_is_one_word_is_refused_without_a_shell() {
    assertThatThrownBy(() -> Template.of(List.of("gzip -9 {}"), false, 1))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("'gzip -9 {}' is a single word with spaces")
        .hasMessageContaining("--shell");
    assertThat(line(List.of("gzip -9 {}"), "a")).isEqualTo("gzip -9 'a'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{%}",
        "{..}",
        "{...}",
        "{/..}",
        "{+/}",
        "{+.}",
        "{+..}",
        "{+}",
        "{-1}",
        "{-1/.}",
        "{+2}",
        "{= s/a/b/ =}",
        "{2= uc =}",
        "{##}",
        "{0#}",
        "{00%}",
        "{1..}",
        "{1+/}"
      })
  void placeholder_that_only_parallel_has_is_noticed(String foreign) {
    assertThat(Template.of(List.of("p", "x" + foreign), false, 1).foreignPlaceholder())
        .contains(foreign);
  }

  @Test
  void placeholder_of_parallel_is_noticed_in_a_file_s_template_and_as_several_words() {
    assertThat(
            Template.of(List.of("p", "{}"), false, 1)
                .with(List.of("{+/}/in"), 1)
                .foreignPlaceholder())
        .contains("{+/}");
    assertThat(Template.of(List.of("p", "{=", "uc", "=}"), false, 1).foreignPlaceholder())
        .contains("{=");
  }

  @Test
  void own_placeholders_and_braces_of_other_languages_are_not_foreign() {
    List<String> command =
        List.of(
            "awk", "{print $1}", "{}", "{#}", "{1.}", "a{1..3}b", "${x%.csv}", "x{2,}", "{a=b}");
    assertThat(Template.of(command, false, 1).foreignPlaceholder()).isEmpty();
  }

  @Test
  void command_is_needed() {
    assertThatThrownBy(() -> Template.of(List.of(), false, 1))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("missing command")
        .hasMessageEndingWith("is a workload: cloudkon client -s LOCAL -w FILE");
  }
}
