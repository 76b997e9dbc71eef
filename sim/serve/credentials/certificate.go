// Package credentials creates what clients need to reach a server over HTTPS: a certificate, tokens and kubeconfig
// files.
//
// Certificate.Config configures a listener, Token makes a bearer token, and Kubeconfig.Write writes the file that a
// client needs.
//
// Guarantee: a kubeconfig file contains the certificate authority and the token, only its owner can read it, and
// Write never replaces other programs' files. Non-guarantee: the private keys of a certificate from Make exist only
// in memory, so a server has a new authority after each start.
package credentials

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/netip"
	"os"
	"strings"
	"time"
)

// Certificate is a server's certificate with its private key. Authority is the PEM certificate that clients must trust.
type Certificate struct {
	TLS       tls.Certificate
	Authority []byte
}

// lifetime is how long a certificate from Make is valid. The validity begins an hour before the server starts, for
// clients whose clocks are behind.
const lifetime = 365 * 24 * time.Hour

// Make creates an authority, which signs a certificate for localhost, both loopback addresses and hosts (names or
// addresses). An unspecified address, such as 0.0.0.0, stands for all addresses of this machine.
func Make(hosts []string, now time.Time) (Certificate, error) {
	authority := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "leaselab " + now.UTC().Format(time.RFC3339)},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(lifetime),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	authorityKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return Certificate{}, err
	}
	signed, err := x509.CreateCertificate(rand.Reader, authority, authority, authorityKey.Public(), authorityKey)
	if err != nil {
		return Certificate{}, err
	}
	server := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "leaselab serve"},
		NotBefore: authority.NotBefore, NotAfter: authority.NotAfter, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	if server.DNSNames, server.IPAddresses, err = names(hosts); err != nil {
		return Certificate{}, err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return Certificate{}, err
	}
	leaf, err := x509.CreateCertificate(rand.Reader, server, authority, key.Public(), authorityKey)
	if err != nil {
		return Certificate{}, err
	}
	return Certificate{
		TLS:       tls.Certificate{Certificate: [][]byte{leaf, signed}, PrivateKey: key},
		Authority: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed}),
	}, nil
}

// `names` returns the DNS names and the addresses for a certificate.
func names(hosts []string) (dns []string, addresses []net.IP, err error) {
	dns, addresses = []string{"localhost"}, []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}
	for _, host := range hosts {
		address, err := netip.ParseAddr(host)
		switch {
		case host == "" || (err == nil && address.IsUnspecified()):
			own, err := net.InterfaceAddrs()
			if err != nil {
				return nil, nil, fmt.Errorf("the addresses of this machine: %w", err)
			}
			for _, one := range own {
				if network, is := one.(*net.IPNet); is && !network.IP.IsLoopback() {
					addresses = append(addresses, network.IP)
				}
			}
		case err == nil && (address.String() == "127.0.0.1" || address.String() == "::1"):
		case err == nil:
			addresses = append(addresses, net.IP(address.AsSlice()))
		case host != "localhost":
			dns = append(dns, host)
		}
	}
	return dns, addresses, nil
}

// Load reads a certificate and its private key from PEM files, as kube-apiserver's --tls-cert-file and
// --tls-private-key-file do. Clients must trust the last certificate in the file: the authority that signed the others,
// or the only certificate itself. An error names the flag, the file and the fix.
func Load(certFile, keyFile string, now time.Time) (Certificate, error) {
	if certFile == "" || keyFile == "" {
		return Certificate{},
			errors.New(
				"--tls-cert-file and --tls-private-key-file belong together; give both, or omit both for a new " +
					"certificate")
	}
	chain, err := os.ReadFile(certFile)
	if err != nil {
		return Certificate{}, fmt.Errorf("--tls-cert-file: %w; name a PEM file that leaselab may read", err)
	}
	key, err := os.ReadFile(keyFile)
	if err != nil {
		return Certificate{}, fmt.Errorf("--tls-private-key-file: %w; name a PEM file that leaselab may read", err)
	}
	if block, _ := pem.Decode(chain); block == nil || block.Type != "CERTIFICATE" {
		return Certificate{},
			fmt.Errorf("--tls-cert-file %s must contain certificates as PEM: -----BEGIN CERTIFICATE-----", certFile)
	}
	if block, _ := pem.Decode(key); block == nil || !strings.HasSuffix(block.Type, "PRIVATE KEY") {
		return Certificate{},
			fmt.Errorf(
				"--tls-private-key-file %s must contain an unencrypted private key as PEM: -----BEGIN PRIVATE KEY-----",
				keyFile)
	}
	pair, err := tls.X509KeyPair(chain, key)
	if err != nil {
		return Certificate{}, fmt.Errorf("--tls-private-key-file %s is not the key of --tls-cert-file %s: %w", keyFile,
			certFile, err)
	}
	if now.After(pair.Leaf.NotAfter) {
		return Certificate{},
			fmt.Errorf(
				"--tls-cert-file %s: the certificate expired on %s; renew it, or omit the flag for a new "+
					"certificate", certFile, pair.Leaf.NotAfter.UTC().Format(time.RFC3339))
	}
	last := pair.Certificate[len(pair.Certificate)-1]
	return Certificate{TLS: pair, Authority: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: last})}, nil
}

// Config returns the configuration of a listener.
func (c Certificate) Config() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{c.TLS},
		NextProtos: []string{"h2", "http/1.1"}}
}

// Token returns a new bearer token.
func Token() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
