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

  private static Caller caller(String secret) {
    return new Caller(secret, "");
  }

  private static Registration registration(String worker, String own, int rank, String ticket) {
    return new Registration(worker, Messages.HERE, new int[] {rank}, new String[] {ticket}, own);
  }

  @Test
  void own_secret_of_a_gang_stays_the_same_and_is_another_for_each_gang_and_worker() {
    assertThat(secrets.own("a")).isEqualTo(secrets.own("a")).isNotEqualTo(secrets.own("b"));
    assertThat(secrets.own("a")).isNotEqualTo(new Secrets().own("a"));
  }

  @Test
  void ticket_registers_for_its_rank_and_is_good_for_nothing_else() {
    secrets.manage("a", secret);
    secrets.serve("a", "the-managers-order", "");
    String ticket = Secrets.ticket(secret, 3);
    assertThat(secrets.known("a", caller(ticket))).isTrue();
    assertThat(secrets.registers("a", caller(ticket), registration("w", "own", 3, ticket)))
        .isTrue();
    assertThat(secrets.registers("a", caller(ticket), registration("v", "its", 4, ticket)))
        .isFalse();
    assertThat(
            secrets.registers(
                "a", caller(ticket), registration("v", "its", 4, "4" + ticket.substring(1))))
        .isFalse();
    assertThat(secrets.registers("b", caller(ticket), registration("v", "its", 3, ticket)))
        .isFalse();
    assertThat(secrets.reports("a", caller(ticket), "w")).isFalse();
    assertThat(secrets.mayOrder("a", caller(ticket))).isFalse();
    assertThat(secrets.delivers("a", caller(ticket), 3)).isFalse();
    assertThat(secrets.refused()).isEqualTo(6);
  }

  @Test
  void member_reports_as_itself_and_nobody_takes_its_name() {
    secrets.manage("a", secret);
    assertThat(secrets.join("a", "w", "own-w", "")).isTrue();
    assertThat(secrets.join("a", "v", "own-v", "")).isTrue();
    assertThat(secrets.join("a", "w", "own-w", "")).as("again").isTrue();
    assertThat(secrets.join("a", "w", "own-v", "")).as("by another").isFalse();
    assertThat(secrets.join("a", "w", "own-w", "print")).as("of another key").isFalse();
    assertThat(secrets.join("b", "w", "own-w", "")).as("of no gang").isFalse();
    assertThat(secrets.reports("a", caller("own-w"), "w")).isTrue();
    assertThat(secrets.reports("a", caller("own-w"), "v")).isFalse();
    assertThat(secrets.reports("a", caller("own-v"), "w")).isFalse();
    assertThat(secrets.mayOrder("a", caller("own-w"))).isFalse();
    secrets.dismiss("a");
    assertThat(secrets.known("a", caller("own-w"))).isFalse();
  }

  @Test
  void manager_alone_orders_with_the_secret_of_that_very_sub_worker() {
    secrets.serve("a", "own", "");
    assertThat(secrets.mayOrder("a", caller("own"))).isTrue();
    assertThat(secrets.mayOrder("a", caller("ow"))).isFalse();
    assertThat(secrets.mayOrder("a", caller(Secrets.pass("own", 0)))).isFalse();
    assertThat(secrets.mayOrder("a", new Caller("own", "print"))).isFalse();
    assertThat(secrets.reports("a", caller("own"), "w")).isFalse();
    secrets.leave("a");
    assertThat(secrets.mayOrder("a", caller("own"))).isFalse();
  }

  @Test
  void pass_delivers_messages_of_the_ranks_of_its_worker_only() {
    Address one = new Address("10.0.0.1", 1);
    Address two = new Address("10.0.0.2", 1);
    secrets.serve("a", "own", "");
    String pass = Secrets.pass("own", 1);
    assertThat(secrets.known("a", caller(pass))).isTrue();
    assertThat(secrets.begun("a")).isFalse();
    assertThat(secrets.delivers("a", caller(pass), 1)).as("before the ranks are known").isFalse();
    secrets.peers("a", new Address[] {one, two, one, two});
    assertThat(secrets.begun("a")).isTrue();
    assertThat(secrets.delivers("a", caller(pass), 1)).isTrue();
    assertThat(secrets.delivers("a", caller(pass), 3)).isTrue();
    assertThat(secrets.delivers("a", caller(pass), 0)).isFalse();
    assertThat(secrets.delivers("a", caller(pass), 4)).isFalse();
    assertThat(secrets.delivers("a", caller("own"), 1)).isFalse();
    assertThat(secrets.delivers("a", caller(Secrets.pass("own", 9)), 1)).isFalse();
    assertThat(secrets.delivers("a", caller("0" + pass.substring(1)), 0)).isFalse();
  }

  @Test
  void certificate_has_to_be_its_holders_as_well() {
    Address one = new Address("10.0.0.1", 1, "x".repeat(43));
    secrets.serve("a", "own", "manager");
    secrets.peers("a", new Address[] {one});
    assertThat(secrets.mayOrder("a", new Caller("own", "manager"))).isTrue();
    assertThat(secrets.mayOrder("a", new Caller("own", one.fingerprint()))).isFalse();
    String pass = Secrets.pass("own", 0);
    assertThat(secrets.delivers("a", new Caller(pass, one.fingerprint()), 0)).isTrue();
    assertThat(secrets.delivers("a", new Caller(pass, "manager"), 0)).isFalse();
    secrets.manage("b", secret);
    secrets.join("b", "w", "own", "w");
    assertThat(secrets.known("b", new Caller("own", "w"))).isTrue();
    assertThat(secrets.known("b", new Caller("own", "v"))).isFalse();
    assertThat(secrets.reports("b", new Caller("own", "v"), "w")).isFalse();
    String ticket = Secrets.ticket(secret, 0);
    assertThat(secrets.registers("b", new Caller(ticket, "v"), registration("v", "its", 0, ticket)))
        .as("an address with another fingerprint than the connection's")
        .isFalse();
  }

  @Test
  void what_could_not_stand_in_a_call_is_no_gang_and_no_secret() {
    for (String bad : new String[] {"", "a b", "é", "a\n", "x".repeat(257)}) {
      assertThatThrownBy(() -> secrets.manage(bad, secret))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> secrets.own(bad)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> secrets.manage("a", bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("secret: 1 to 256 visible ASCII characters");
    }
  }
}
