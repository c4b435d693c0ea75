package io.cloudkon.client.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordingTest {
  @ParameterizedTest
  @CsvSource({"0,0 tasks", "1,1 task", "2,2 tasks", "1234567,'1,234,567 tasks'"})
  void count_has_the_right_number_of_the_noun(long n, String expected) {
    assertThat(Wording.count(n, "task")).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "0,0.00 ms",
    "0.00042,0.42 ms",
    "0.0953,95.3 ms",
    "0.9994,999 ms",
    "0.9996,1.00 s",
    "12.34,12.3 s",
    "59.94,59.9 s",
    "59.96,1 min",
    "125,2 min 5 s",
    "3600,1 h",
    "11220,3 h 7 min",
    "187200,2 d 4 h",
    "86400000,'1,000 d'"
  })
  void duration_has_a_unit_that_fits(double seconds, String expected) {
    assertThat(Wording.duration(seconds)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "0,0.00/s",
    "0.0000001,0.000000/s",
    "0.00001234,0.000012/s",
    "0.0083333,0.00833/s",
    "0.09996,0.100/s",
    "0.1264,0.126/s",
    "0.9996,1.00/s",
    "9.996,10.0/s",
    "99.96,100/s",
    "1234567.8,'1,234,568/s'"
  })
  void rate_has_three_digits(double perSecond, String expected) {
    assertThat(Wording.rate(perSecond)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "0,$0",
    "0.00001,less than $0.0001",
    "0.0012,about $0.0012",
    "0.0456,about $0.046",
    "0.9,about $0.90",
    "1234.5,'about $1,234.50'"
  })
  void dollars_keep_what_matters(double usd, String expected) {
    assertThat(Wording.dollars(usd)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"0.2,1 s", "58.2,59 s", "59.3,1 min", "125,2 min 5 s"})
  void an_estimate_has_whole_seconds(double seconds, String expected) {
    assertThat(Wording.roughly(seconds)).isEqualTo(expected);
  }
}
