/** Japanese, in です・ます. */

import { frozen } from "#contract/frozen.ts";
import type { HelloTexts } from "./en.ts";

export const jaHello = frozen<HelloTexts>({
  title: "Stagedoor に接続しました",
  where: "{version}（{machine}）",
  address: "アドレス",
  connection: "接続",
  cameOverHttps: "このページは https で表示されています。",
  httpsOff: "https はオフです。Stagedoor の「Connect」画面でオンにしてください。",
  tryHttps: "証明書を確認するには、このページを https で開いてください。",
  checking: "https を確認しています…",
  works: "https で接続できます。このデバイスは証明書を信頼しています。",
  fails: "まだ https で接続できません。このデバイスが証明書を信頼していないか、ポートに接続できません。",
  uncovered:
    "このアドレスはプライベートネットワークのものではないため、証明書の対象外です。ローカルの名前かアドレス、または http をお使いください。",
  openDemo: "デモアプリを開く",
  openOverHttps: "このページを https で開く",
  certificate: "証明書",
  noCertificate:
    "証明書はまだありません。Stagedoor の「Connect」画面で TLS をオンにして、このページを再読み込みしてください。",
  fingerprint: "SHA-256 フィンガープリントです。「Connect」画面のものと比べてください：",
  apple: "iPhone・iPad",
  computer: "パソコン",
  downloadProfile: "プロファイルをダウンロード",
  downloadCertificate: "証明書をダウンロード",
  apple1: "このページを Safari で開き、「プロファイルをダウンロード」をタップして許可します。",
  apple2:
    "「設定」で「一般」、「VPNとデバイス管理」の順に開きます。Stagedoor CA のプロファイルをタップして、インストールします。",
  apple3: "「設定」で「一般」、「情報」、「証明書信頼設定」の順に開きます。Stagedoor CA をオンにします。",
  android1: "「証明書をダウンロード」をタップします。",
  android2: "「設定」で「CA 証明書」を検索します。「インストールする」を選び、ファイル ca.crt を選択します。",
  android3:
    "これでブラウザは証明書を信頼します。アプリが信頼するのは、デバッグビルドのネットワークセキュリティ構成でユーザー証明書が許可されている場合だけです。",
  computer1: "証明書をダウンロードします。",
  computer2:
    "信頼されたルート証明書として、ブラウザまたはシステムにインポートします。コマンド一つだけで使う場合は、Stagedoor の「Connect」画面の PEM を curl --cacert に指定します。",
});
