const query = "to=" + encodeURIComponent(TO) + "&after=" + output.after + "&wait=10000";
const answer = http.get("http://127.0.0.1:4012/emulator/v1/passcodes/latest?" + query);
if (!answer.ok) throw new Error("No code for " + TO);
output.code = json(answer.body).code;
