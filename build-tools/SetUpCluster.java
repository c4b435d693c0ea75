import io.cloudkon.core.aws.AwsCloud;
import io.cloudkon.core.cli.AwsOptions;
import io.cloudkon.core.time.SystemTime;

/**
 * Creates the cluster in which the provisioner's AOT cache is recorded, with the classes of the
 * provisioner's own jar: {@code cloudkon setup} is the client's, which may be built at the same
 * time.
 *
 * <p>Usage: {@code java -cp cloudkon-provisioner.jar SetUpCluster.java CLUSTER}
 */
final class SetUpCluster {
  private SetUpCluster() {}

  public static void main(String[] args) {
    try (AwsCloud cloud = new AwsOptions().connect(new SystemTime())) {
      var unused = cloud.setup().setup(args[0]);
    }
  }
}
