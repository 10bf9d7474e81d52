/** French, with « vous ». */

import { frozen } from "#contract/frozen.ts";
import type { HelloTexts } from "./en.ts";

export const frHello = frozen<HelloTexts>({
  title: "Connecté à Stagedoor",
  where: "{version} sur {machine}",
  address: "Adresse",
  connection: "Connexion",
  cameOverHttps: "Cette page est arrivée en https.",
  httpsOff: "https est désactivé. Activez-le dans Stagedoor, à l’écran « Connect ».",
  tryHttps: "Ouvrez cette page en https pour vérifier le certificat.",
  checking: "Vérification de https…",
  works: "https fonctionne : cet appareil fait confiance au certificat.",
  fails: "https ne fonctionne pas encore : cet appareil ne fait pas confiance au certificat ou n’atteint pas le port.",
  uncovered:
    "Le certificat ne peut pas couvrir cette adresse : elle ne fait pas partie d’un réseau privé. Utilisez un nom local, une adresse locale ou http.",
  openDemo: "Ouvrir l’application de démo",
  openOverHttps: "Ouvrir cette page en https",
  certificate: "Certificat",
  noCertificate:
    "Il n’y a pas encore de certificat. Activez TLS dans Stagedoor, à l’écran « Connect », puis rechargez cette page.",
  fingerprint: "Empreinte SHA-256. Comparez-la à celle de l’écran « Connect » :",
  apple: "iPhone ou iPad",
  computer: "Ordinateur",
  downloadProfile: "Télécharger le profil",
  downloadCertificate: "Télécharger le certificat",
  apple1: "Ouvrez cette page dans Safari, touchez « Télécharger le profil » et autorisez-le.",
  apple2:
    "Dans Réglages, ouvrez « Général », puis « VPN et gestion de l’appareil ». Touchez le profil Stagedoor CA et installez-le.",
  apple3:
    "Dans Réglages, ouvrez « Général », puis « Informations », puis « Réglages de confiance des certificats ». Activez Stagedoor CA.",
  android1: "Touchez « Télécharger le certificat ».",
  android2:
    "Dans les paramètres, cherchez « certificat CA ». Choisissez « Installer quand même », puis le fichier ca.crt.",
  android3:
    "Les navigateurs lui font maintenant confiance. Une application ne lui fait confiance que si la configuration de sécurité réseau de sa version de débogage autorise les certificats utilisateur.",
  computer1: "Téléchargez le certificat.",
  computer2:
    "Importez-le dans le navigateur ou le système comme autorité racine de confiance. Pour une seule commande : curl --cacert prend le PEM de l’écran « Connect » de Stagedoor.",
});
