# An image with a JDK and the worker, for instances that are to work sooner after their launch:
#
#   infra/image/archive.sh && packer init infra/image &&
#     packer build -var region="$AWS_REGION" infra/image
#
# Then deploy the stack with ImageId=ami-… and no WorkerArchive.

packer {
  required_plugins {
    amazon = {
      version = ">= 1.3.0"
      source  = "github.com/hashicorp/amazon"
    }
  }
}

variable "region" {
  type    = string
  default = "eu-central-1"
}

variable "instance_type" {
  type    = string
  default = "c7i.large"
}

variable "architecture" {
  type        = string
  default     = "x86_64"
  description = "x86_64 or arm64, as the instance type"
}

variable "archive" {
  type        = string
  default     = "target/cloudkon-worker.tar.gz"
  description = "what archive.sh made"
}

variable "jdk" {
  type        = string
  default     = "package"
  description = "as --jdk of install.sh"
}

variable "jdk_sha256" {
  type    = string
  default = ""
}

source "amazon-ebs" "worker" {
  region        = var.region
  instance_type = var.instance_type
  ami_name      = "cloudkon-worker-${formatdate("YYYYMMDD-hhmm", timestamp())}"
  ssh_username  = "ec2-user"
  encrypt_boot  = true
  imds_support  = "v2.0"

  source_ami_filter {
    owners      = ["amazon"]
    most_recent = true
    filters = {
      name         = "al2023-ami-2023.*-kernel-*-${var.architecture}"
      architecture = var.architecture
    }
  }

  metadata_options {
    http_tokens = "required"
  }
}

build {
  sources = ["source.amazon-ebs.worker"]

  provisioner "file" {
    source      = var.archive
    destination = "/tmp/cloudkon-worker.tar.gz"
  }

  provisioner "shell" {
    inline = [
      "tar -xzf /tmp/cloudkon-worker.tar.gz -C /tmp",
      "sudo /tmp/cloudkon/install.sh --jdk '${var.jdk}' ${var.jdk_sha256 == "" ? "" : "--jdk-sha256 ${var.jdk_sha256}"} --aot",
      "sudo dnf install -qy amazon-cloudwatch-agent",
      "rm -rf /tmp/cloudkon /tmp/cloudkon-worker.tar.gz",
    ]
  }
}
