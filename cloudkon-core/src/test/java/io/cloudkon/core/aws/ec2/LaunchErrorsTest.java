package io.cloudkon.core.aws.ec2;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.port.InstanceLauncher.Failure.Kind;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LaunchErrorsTest {
  @ParameterizedTest
  @CsvSource({
    "CAPACITY, InsufficientInstanceCapacity",
    "CAPACITY, UnfulfillableCapacity",
    "QUOTA, MaxSpotInstanceCountExceeded",
    "CAPACITY, SpotMaxPriceTooLow",
    "CAPACITY, Unsupported",
    "CAPACITY, InsufficientFreeAddressesInSubnet",
    "QUOTA, VcpuLimitExceeded",
    "QUOTA, InstanceLimitExceeded",
    "THROTTLE, RequestLimitExceeded",
    "THROTTLE, ExpiredToken",
    "THROTTLE, AuthFailure",
    "CONFIGURATION, UnauthorizedOperation",
    "CONFIGURATION, InvalidLaunchTemplateName.NotFoundException",
    "CONFIGURATION, InvalidAMIID.NotFound",
    "CONFIGURATION, AuthFailure.ServiceLinkedRoleCreationNotPermitted"
  })
  void code_says_what_to_do(Kind kind, String code) {
    assertThat(LaunchErrors.kind(code)).isEqualTo(kind);
  }

  @ParameterizedTest
  @CsvSource({
    "CAPACITY, InsufficientQuantumCapacity",
    "QUOTA, DreamLimitExceeded",
    "THROTTLE, FleetThrottled",
    "QUOTA, InvalidSomething",
    "QUOTA, unknown"
  })
  void code_that_is_new_is_a_quota_unless_its_name_says_more(Kind kind, String code) {
    assertThat(LaunchErrors.kind(code)).isEqualTo(kind);
  }

  @Test
  void image_that_is_not_shared_is_no_matter_of_credentials() {
    assertThat(LaunchErrors.failure("AuthFailure", "Not authorized for images: [ami-1]").kind())
        .isEqualTo(Kind.CONFIGURATION);
    assertThat(LaunchErrors.failure("AuthFailure", "AWS was not able to validate them").kind())
        .isEqualTo(Kind.THROTTLE);
  }

  @Test
  void no_code_is_of_two_kinds() {
    List<String> all =
        Arrays.stream(Kind.values()).flatMap(kind -> LaunchErrors.codes(kind).stream()).toList();

    assertThat(all).doesNotHaveDuplicates();
    assertThat(all).hasSizeGreaterThan(40);
  }

  @Test
  void what_ec2_says_is_told_in_one_line_without_its_encoded_part() {
    assertThat(
            LaunchErrors.line(
                "You are not authorized.\n Encoded authorization failure message: AbC_1-2"))
        .isEqualTo("You are not authorized.");
  }
}
