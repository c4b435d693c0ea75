package io.cloudkon.hpc.rmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SecretsTest {
  private final Secrets secrets = new Secrets();
  private final String secret = Secrets.fresh();

  @Test
  void fresh_secrets_have_43_characters_and_differ() {
    assertThat(secret).matches("[A-Za-z0-9_-]{43}").isNotEqualTo(Secrets.fresh());
  }

  @Test
  void only_the_gangs_own_secret_is_admitted_and_all_else_counted() {
    secrets.admit("a", secret);

    assertThat(secrets.admits("a", secret)).isTrue();
    assertThat(secrets.admits("a", secret.substring(1))).isFalse();
    assertThat(secrets.admits("a", secret + "x")).isFalse();
    assertThat(secrets.admits("a", "")).isFalse();
    assertThat(secrets.admits("b", secret)).isFalse();
    assertThat(secrets.admits("", secret)).isFalse();
    assertThat(secrets.refused()).isEqualTo(5);
  }

  @Test
  void a_gang_keeps_its_first_secret_until_it_is_forgotten() {
    String other = Secrets.fresh();
    assertThat(secrets.admit("a", secret)).isTrue();
    assertThat(secrets.admit("a", secret)).isTrue();
    assertThat(secrets.admit("a", other)).isFalse();
    assertThat(secrets.admits("a", other)).isFalse();

    secrets.forget("a");
    assertThat(secrets.admits("a", secret)).isFalse();
    assertThat(secrets.admit("a", other)).isTrue();
  }

  @Test
  void what_could_not_stand_in_a_call_is_no_gang_and_no_secret() {
    for (String bad : new String[] {"", "a b", "é", "a\n", "x".repeat(257)}) {
      assertThatThrownBy(() -> secrets.admit(bad, secret))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> secrets.admit("a", bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("secret: 1 to 256 visible ASCII characters");
    }
  }
}
