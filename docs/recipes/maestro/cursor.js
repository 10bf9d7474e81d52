// The position before the app asks for a code: an older code does not count.
output.after = json(http.get("http://127.0.0.1:4012/emulator/v1/status").body).seq;
