/** Dutch, with ‘je’. */

import { frozen } from "#contract/frozen.ts";
import type { HelloTexts } from "./en.ts";

export const nlHello = frozen<HelloTexts>({
  title: "Verbonden met Stagedoor",
  where: "{version} op {machine}",
  address: "Adres",
  connection: "Verbinding",
  cameOverHttps: "Deze pagina kwam via https.",
  httpsOff: "https staat uit. Zet het aan in Stagedoor, op het scherm ‘Connect’.",
  tryHttps: "Open deze pagina via https om het certificaat te controleren.",
  checking: "https wordt gecontroleerd…",
  works: "https werkt: dit apparaat vertrouwt het certificaat.",
  fails: "https werkt nog niet: dit apparaat vertrouwt het certificaat niet of kan de poort niet bereiken.",
  uncovered:
    "Het certificaat kan dit adres niet dekken: het hoort niet bij een privénetwerk. Gebruik een lokale naam, een lokaal adres of http.",
  openDemo: "Demo-app openen",
  openOverHttps: "Deze pagina via https openen",
  certificate: "Certificaat",
  noCertificate:
    "Er is nog geen certificaat. Zet TLS aan in Stagedoor, op het scherm ‘Connect’, en laad deze pagina opnieuw.",
  fingerprint: "SHA-256-vingerafdruk. Vergelijk hem met die op het scherm ‘Connect’:",
  apple: "iPhone of iPad",
  computer: "Computer",
  downloadProfile: "Profiel downloaden",
  downloadCertificate: "Certificaat downloaden",
  apple1: "Open deze pagina in Safari, tik op ‘Profiel downloaden’ en sta het toe.",
  apple2:
    "Open in Instellingen ‘Algemeen’ en dan ‘VPN en apparaatbeheer’. Tik op het profiel Stagedoor CA en installeer het.",
  apple3:
    "Open in Instellingen ‘Algemeen’, dan ‘Info’ en dan ‘Vertrouwensinstellingen certificaten’. Zet Stagedoor CA aan.",
  android1: "Tik op ‘Certificaat downloaden’.",
  android2: "Zoek in Instellingen naar ‘CA-certificaat’. Kies ‘Toch installeren’ en dan het bestand ca.crt.",
  android3:
    "Browsers vertrouwen het nu. Een app vertrouwt het alleen als de netwerkbeveiligingsconfiguratie van zijn debugbuild gebruikerscertificaten toestaat.",
  computer1: "Download het certificaat.",
  computer2:
    "Importeer het in de browser of het systeem als vertrouwd basiscertificaat. Voor één opdracht: curl --cacert neemt de PEM van het scherm ‘Connect’ in Stagedoor.",
});
