/** Brazilian Portuguese, with “você”. */

import { frozen } from "#contract/frozen.ts";
import type { HelloTexts } from "./en.ts";

export const ptBrHello = frozen<HelloTexts>({
  title: "Conectado ao Stagedoor",
  where: "{version} em {machine}",
  address: "Endereço",
  connection: "Conexão",
  cameOverHttps: "Esta página veio por https.",
  httpsOff: "https está desativado. Ative-o no Stagedoor, na tela “Connect”.",
  tryHttps: "Abra esta página por https para verificar o certificado.",
  checking: "Verificando https…",
  works: "https funciona: este dispositivo confia no certificado.",
  fails: "https ainda não funciona: este dispositivo não confia no certificado ou não alcança a porta.",
  uncovered:
    "O certificado não pode cobrir este endereço: ele não é de uma rede privada. Use um nome ou endereço local, ou http.",
  openDemo: "Abrir app de demonstração",
  openOverHttps: "Abrir esta página por https",
  certificate: "Certificado",
  noCertificate: "Ainda não há certificado. Ative o TLS no Stagedoor, na tela “Connect”, e recarregue esta página.",
  fingerprint: "Impressão digital SHA-256. Compare-a com a da tela “Connect”:",
  apple: "iPhone ou iPad",
  computer: "Computador",
  downloadProfile: "Baixar perfil",
  downloadCertificate: "Baixar certificado",
  apple1: "Abra esta página no Safari, toque em “Baixar perfil” e permita.",
  apple2:
    "Em Ajustes, abra “Geral” e depois “VPN e Gerenciamento de Dispositivos”. Toque no perfil Stagedoor CA e instale-o.",
  apple3:
    "Em Ajustes, abra “Geral”, depois “Sobre” e depois “Ajustes de Confiança de Certificado”. Ative Stagedoor CA.",
  android1: "Toque em “Baixar certificado”.",
  android2: "Nas configurações, procure “certificado CA”. Escolha “Instalar mesmo assim” e depois o arquivo ca.crt.",
  android3:
    "Os navegadores já confiam nele. Um app só confia nele se a configuração de segurança de rede da sua versão de depuração permitir certificados de usuário.",
  computer1: "Baixe o certificado.",
  computer2:
    "Importe-o no navegador ou no sistema como raiz confiável. Para um só comando: curl --cacert aceita o PEM da tela “Connect” do Stagedoor.",
});
