/** Spanish, with «tú». */

import { frozen } from "#contract/frozen.ts";
import type { HelloTexts } from "./en.ts";

export const esHello = frozen<HelloTexts>({
  title: "Conectado a Stagedoor",
  where: "{version} en {machine}",
  address: "Dirección",
  connection: "Conexión",
  cameOverHttps: "Esta página ha llegado por https.",
  httpsOff: "https está desactivado. Actívalo en Stagedoor, en la pantalla «Connect».",
  tryHttps: "Abre esta página por https para comprobar el certificado.",
  checking: "Comprobando https…",
  works: "https funciona: este dispositivo confía en el certificado.",
  fails: "https aún no funciona: este dispositivo no confía en el certificado o no llega al puerto.",
  uncovered:
    "El certificado no puede cubrir esta dirección: no es de una red privada. Usa un nombre o una dirección local, o http.",
  openDemo: "Abrir la aplicación de demostración",
  openOverHttps: "Abrir esta página por https",
  certificate: "Certificado",
  noCertificate:
    "Todavía no hay ningún certificado. Activa TLS en Stagedoor, en la pantalla «Connect», y vuelve a cargar esta página.",
  fingerprint: "Huella digital SHA-256. Compárala con la de la pantalla «Connect»:",
  apple: "iPhone o iPad",
  computer: "Ordenador",
  downloadProfile: "Descargar perfil",
  downloadCertificate: "Descargar certificado",
  apple1: "Abre esta página en Safari, toca «Descargar perfil» y permítelo.",
  apple2:
    "En Ajustes, abre «General» y después «VPN y gestión de dispositivos». Toca el perfil Stagedoor CA e instálalo.",
  apple3:
    "En Ajustes, abre «General», después «Información» y después «Ajustes de confianza de certificados». Activa Stagedoor CA.",
  android1: "Toca «Descargar certificado».",
  android2: "En Ajustes, busca «certificado de CA». Elige «Instalar de todos modos» y después el archivo ca.crt.",
  android3:
    "Los navegadores ya confían en él. Una aplicación solo confía en él si la configuración de seguridad de red de su versión de depuración permite certificados de usuario.",
  computer1: "Descarga el certificado.",
  computer2:
    "Impórtalo en el navegador o en el sistema como raíz de confianza. Para una sola orden: curl --cacert acepta el PEM de la pantalla «Connect» de Stagedoor.",
});
