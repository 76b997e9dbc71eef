# For a tap's folder Formula: brew install leaselab/tap/leaselab
class Leaselab < Formula
  desc "Laboratory for Kubernetes leader election"
  homepage "https://github.com/leaselab/leaselab"
  version "{{slice .Version 1}}"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "{{(index .Archives "darwin-arm64").URL}}"
      sha256 "{{(index .Archives "darwin-arm64").SHA256}}"
    end
    on_intel do
      url "{{(index .Archives "darwin-amd64").URL}}"
      sha256 "{{(index .Archives "darwin-amd64").SHA256}}"
    end
  end

  on_linux do
    on_arm do
      url "{{(index .Archives "linux-arm64").URL}}"
      sha256 "{{(index .Archives "linux-arm64").SHA256}}"
    end
    on_intel do
      url "{{(index .Archives "linux-amd64").URL}}"
      sha256 "{{(index .Archives "linux-amd64").SHA256}}"
    end
  end

  def install
    bin.install "leaselab"
    generate_completions_from_executable(bin/"leaselab", "completion")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/leaselab --version")
    assert_match "no violations", shell_output("#{bin}/leaselab run a-leader-dies -q")
  end
end
