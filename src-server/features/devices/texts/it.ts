/** Italian, with «tu». */

import { frozen } from "#contract/frozen.ts";
import type { HelloTexts } from "./en.ts";

export const itHello = frozen<HelloTexts>({
  title: "Connesso a Stagedoor",
  where: "{version} su {machine}",
  address: "Indirizzo",
  connection: "Connessione",
  cameOverHttps: "Questa pagina è arrivata tramite https.",
  httpsOff: "https è disattivato. Attivalo in Stagedoor, nella schermata «Connect».",
  tryHttps: "Apri questa pagina tramite https per verificare il certificato.",
  checking: "Verifica di https…",
  works: "https funziona: questo dispositivo considera attendibile il certificato.",
  fails:
    "https non funziona ancora: questo dispositivo non considera attendibile il certificato o non raggiunge la porta.",
  uncovered:
    "Il certificato non può coprire questo indirizzo: non appartiene a una rete privata. Usa un nome o un indirizzo locale, oppure http.",
  openDemo: "Apri l’app demo",
  openOverHttps: "Apri questa pagina tramite https",
  certificate: "Certificato",
  noCertificate:
    "Non c’è ancora alcun certificato. Attiva TLS in Stagedoor, nella schermata «Connect», e ricarica questa pagina.",
  fingerprint: "Impronta SHA-256. Confrontala con quella della schermata «Connect»:",
  apple: "iPhone o iPad",
  computer: "Computer",
  downloadProfile: "Scarica il profilo",
  downloadCertificate: "Scarica il certificato",
  apple1: "Apri questa pagina in Safari, tocca «Scarica il profilo» e consentilo.",
  apple2:
    "In Impostazioni, apri «Generali», poi «VPN e gestione dispositivi». Tocca il profilo Stagedoor CA e installalo.",
  apple3:
    "In Impostazioni, apri «Generali», poi «Info», poi «Impostazioni attendibilità certificati». Attiva Stagedoor CA.",
  android1: "Tocca «Scarica il certificato».",
  android2: "Nelle impostazioni, cerca «certificato CA». Scegli «Installa comunque», poi il file ca.crt.",
  android3:
    "Ora i browser lo considerano attendibile. Un’app lo considera attendibile solo se la configurazione di sicurezza di rete della sua build di debug ammette i certificati utente.",
  computer1: "Scarica il certificato.",
  computer2:
    "Importalo nel browser o nel sistema come radice attendibile. Per un solo comando: curl --cacert accetta il PEM della schermata «Connect» di Stagedoor.",
});
