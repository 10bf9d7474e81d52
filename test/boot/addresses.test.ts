/** The order of the machine's addresses: the first one is in the QR codes. */
import type { NetworkInterfaceInfo } from "node:os";
import { expect, test } from "vitest";
import { machineAddresses } from "#server/boot/addresses.ts";

const ip = (address: string, family: "IPv4" | "IPv6" = "IPv4"): NetworkInterfaceInfo[] => {
  const info = { address, netmask: "", mac: "", internal: false, cidr: null };
  return [family === "IPv4" ? { ...info, family } : { ...info, family, scopeid: 0 }];
};

test("private addresses of a cable or Wi-Fi come before others, a VPN's after them, IPv6 last", () => {
  const found = machineAddresses({
    utun4: ip("10.8.0.6"),
    wg0: ip("10.9.0.2"),
    tun0: ip("192.168.77.2"),
    // Tailscale under a name of its own.
    "Ethernet 7": ip("100.101.5.4"),
    en6: ip("2001:db8::7", "IPv6"),
    eth0: ip("203.0.113.9"),
    wlan0: ip("192.168.1.20"),
    en0: ip("172.20.10.3"),
  });
  expect(found.map(({ address }) => address)).toEqual([
    "192.168.1.20",
    "172.20.10.3",
    "203.0.113.9",
    "10.8.0.6",
    "10.9.0.2",
    "192.168.77.2",
    "100.101.5.4",
    "2001:db8::7",
  ]);
});
