/** German, with „Sie“. */

import { frozen } from "#contract/frozen.ts";
import type { HelloTexts } from "./en.ts";

export const deHello = frozen<HelloTexts>({
  title: "Mit Stagedoor verbunden",
  where: "{version} auf {machine}",
  address: "Adresse",
  connection: "Verbindung",
  cameOverHttps: "Diese Seite kam über https.",
  httpsOff: "https ist aus. Schalten Sie es in Stagedoor auf der Seite „Connect“ ein.",
  tryHttps: "Öffnen Sie diese Seite über https, um das Zertifikat zu prüfen.",
  checking: "https wird geprüft …",
  works: "https funktioniert: Dieses Gerät vertraut dem Zertifikat.",
  fails:
    "https funktioniert noch nicht: Dieses Gerät vertraut dem Zertifikat nicht oder kann den Port nicht erreichen.",
  uncovered:
    "Das Zertifikat kann diese Adresse nicht abdecken: Sie gehört zu keinem privaten Netz. Verwenden Sie einen lokalen Namen, eine lokale Adresse oder http.",
  openDemo: "Demo-App öffnen",
  openOverHttps: "Diese Seite über https öffnen",
  certificate: "Zertifikat",
  noCertificate:
    "Es gibt noch kein Zertifikat. Schalten Sie TLS in Stagedoor auf der Seite „Connect“ ein und laden Sie diese Seite neu.",
  fingerprint: "SHA-256-Fingerabdruck. Vergleichen Sie ihn mit dem auf der Seite „Connect“:",
  apple: "iPhone oder iPad",
  computer: "Computer",
  downloadProfile: "Profil laden",
  downloadCertificate: "Zertifikat laden",
  apple1: "Öffnen Sie diese Seite in Safari, tippen Sie auf „Profil laden“ und erlauben Sie es.",
  apple2:
    "Öffnen Sie in den Einstellungen „Allgemein“, dann „VPN und Geräteverwaltung“. Tippen Sie auf das Profil der Stagedoor CA und installieren Sie es.",
  apple3:
    "Öffnen Sie in den Einstellungen „Allgemein“, dann „Info“, dann „Zertifikatsvertrauenseinstellungen“. Schalten Sie die Stagedoor CA ein.",
  android1: "Tippen Sie auf „Zertifikat laden“.",
  android2:
    "Suchen Sie in den Einstellungen nach „CA-Zertifikat“. Wählen Sie „Trotzdem installieren“ und dann die Datei ca.crt.",
  android3:
    "Browser vertrauen ihm nun. Eine App vertraut ihm nur, wenn die Netzwerksicherheitskonfiguration ihres Debug-Builds Nutzerzertifikate erlaubt.",
  computer1: "Laden Sie das Zertifikat herunter.",
  computer2:
    "Importieren Sie es als vertrauenswürdige Stammzertifizierungsstelle in den Browser oder das System. Nur für einen Befehl: curl --cacert nimmt das PEM von der Seite „Connect“ in Stagedoor.",
});
