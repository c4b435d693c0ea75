package io.cloudkon.hpc.rmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTest {

  @ParameterizedTest
  @ValueSource(
      strings = {"10.0.0.1:1", "worker-7.local:65535", "[::1]:80", "[fe80::1%eth0]:9", "[1::2]:3"})
  void text_of_an_address_reads_back_as_the_same(String text) {
    assertThat(Address.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":",
        ":1",
        "a",
        "a:",
        "a:0",
        "a:65536",
        "a:-1",
        "a:1x",
        "a b:1",
        "::1:80",
        "[a]:1",
        "[::1]",
        "[]:1",
        "[::1:80",
        "a\n:1",
        "a/b:1",
        "a:999999999999"
      })
  void other_text_is_no_address(String text) {
    assertThatThrownBy(() -> Address.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void first_private_ipv4_address_is_chosen() throws Exception {
    assertThat(
            Addresses.choose(
                null,
                addresses("fe80::1", "127.0.0.1", "8.8.8.8", "192.168.3.4", "10.0.0.1"),
                false))
        .isEqualTo("192.168.3.4");
  }

  @Test
  void private_address_from_which_packets_leave_is_chosen_first() throws Exception {
    assertThat(
            Addresses.choose(
                InetAddress.getByName("10.0.0.1"), addresses("192.168.3.4", "10.0.0.1"), false))
        .isEqualTo("10.0.0.1");
  }

  @Test
  void addresses_of_this_machine_are_here_and_others_are_not() {
    assertThat(List.of(Addresses.own(), "127.0.0.1", "::1", "a-name")).allMatch(Addresses::isHere);
    assertThat(List.of("203.0.113.7", "2001:db8::1")).noneMatch(Addresses::isHere);
  }

  @Test
  void without_a_private_ipv4_address_it_is_loopback() throws Exception {
    assertThat(
            Addresses.choose(
                InetAddress.getByName("8.8.8.8"),
                addresses("fe80::1", "8.8.8.8", "127.0.0.2", "100.63.0.1", "100.128.0.1"),
                false))
        .isEqualTo("127.0.0.1");
    assertThat(Addresses.isLoopback("127.0.0.1")).isTrue();
    assertThat(Addresses.isLoopback("100.64.0.1")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"100.64.0.1", "100.127.255.254"})
  void shared_address_range_counts_as_private(String shared) throws Exception {
    assertThat(Addresses.choose(null, addresses("8.8.8.8", shared), false)).isEqualTo(shared);
  }

  @Test
  void address_of_an_instance_may_be_of_any_range() throws Exception {
    assertThat(
            Addresses.choose(
                InetAddress.getByName("0.0.0.0"),
                addresses("fe80::1", "169.254.3.4", "11.0.0.9", "10.0.0.1"),
                true))
        .isEqualTo("11.0.0.9");
  }

  @Test
  void own_address_stays_the_same_and_can_be_listened_on() {
    String own = Addresses.own();

    assertThat(Addresses.own()).isEqualTo(own);
    Worker worker = new Worker();
    Endpoint.open(own, 0, worker, worker, worker.secrets, Identity.none()).close();
    worker.close();
  }

  private static List<InetAddress> addresses(String... texts) throws Exception {
    InetAddress[] addresses = new InetAddress[texts.length];
    for (int i = 0; i < texts.length; i++) {
      addresses[i] = InetAddress.getByName(texts[i]);
    }
    return List.of(addresses);
  }
}
