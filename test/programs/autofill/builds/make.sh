#!/bin/sh
# Makes the builds of this folder anew, with new keys, and expected.json from keytool and Google's formula.
# Needs aapt, apksigner, keytool, jarsigner, python3 (Debian: apksigner aapt default-jdk-headless).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
cd "$work"
printf '<?xml version="1.0"?><manifest package="com.example.app"><application/></manifest>' > AndroidManifest.xml
aapt package -f -M AndroidManifest.xml -F plain.apk
for key in 1 2 3; do
  keytool -genkeypair -keystore k$key -storepass android -alias k -keyalg RSA -keysize 2048 -validity 10000 -dname "CN=Key $key"
done
keytool -genkeypair -keystore k4 -storepass android -alias k -keyalg EC -groupname secp256r1 -validity 10000 -dname "CN=Key 4"
store() { echo "--ks k$1 --ks-key-alias k --ks-pass pass:android"; }
key() { echo "$(store $1) --v1-signer-name K$1"; }
sign() { out=$1; shift; apksigner sign --in plain.apk --out "$here/$out" "$@"; rm -f "$here/$out.idsig"; }
only() { for v in 1 2 3; do case $1 in *$v*) echo "--v$v-signing-enabled true";; *) echo "--v$v-signing-enabled false";; esac; done; }
sign v1.apk $(key 1) --min-sdk-version 16 $(only 1)
sign v1-ec.apk $(key 4) --min-sdk-version 18 $(only 1)
sign v1-two.apk $(key 1) --next-signer $(key 2) --min-sdk-version 16 $(only 1)
sign v2-two.apk $(key 1) --next-signer $(key 2) --min-sdk-version 24 $(only 2)
sign v123.apk $(key 1) --min-sdk-version 16 $(only 123)
apksigner rotate --out first --old-signer $(store 1) --new-signer $(store 2)
apksigner rotate --in first --out lineage --old-signer $(store 2) --new-signer $(store 3)
sign rotated.apk $(key 1) --next-signer $(key 3) --lineage lineage --min-sdk-version 16 $(only 123)
# Split APKs in an archive, and an AAB: its manifest is a protobuf.
python3 - "$here" <<'PYTHON'
import sys, zipfile
here = sys.argv[1]
with zipfile.ZipFile(f"{here}/split.apks", "w") as z:
    z.writestr("toc.pb", b"")
    z.write(f"{here}/v1.apk", "splits/base-master.apk")
field = lambda number, value: bytes([number * 8 + 2, len(value)]) + value
attribute = lambda name, value: field(4, field(2, name) + field(3, value) + bytes([4 * 8, 7]))
manifest = field(1, field(3, b"manifest") + attribute(b"split", b"com.wrong") + attribute(b"package", b"com.example.app"))
with zipfile.ZipFile(f"{here}/upload.aab", "w", zipfile.ZIP_DEFLATED) as z:
    z.writestr("base/manifest/AndroidManifest.xml", manifest)
PYTHON
jarsigner -keystore k1 -storepass android "$here/upload.aab" k > /dev/null
line() {
  keytool -exportcert -keystore k$1 -storepass android -alias k -file k$1.der 2> /dev/null
  hex=$(od -An -v -tx1 k$1.der | tr -d ' \n')
  hash=$(printf 'com.example.app %s' "$hex" | sha256sum | python3 -c 'import sys, base64; print(base64.b64encode(bytes.fromhex(sys.stdin.read(64)))[:11].decode())')
  print=$(keytool -list -v -keystore k$1 -storepass android -alias k 2> /dev/null | sed -n 's/.*SHA256: //p')
  echo "  \"k$1\": { \"sha256\": \"$print\", \"hash\": \"$hash\" }"
}
{ echo "{"; for key in 1 2 3 4; do line $key; done | sed '$!s/$/,/'; echo "}"; } > "$here/expected.json"
rm -r "$work"
