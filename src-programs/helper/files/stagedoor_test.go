// Stagedoor in Go tests: a separate app for each test. Printed by `stagedoor helper go`, version VERSION. It finds Stagedoor by STAGEDOOR_CONSOLE_URL, which `stagedoor exec -- go test ./...` sets, else at http://127.0.0.1:4012.
//
//	stagedoor := New(t, nil); stagedoor.Start("+12025550100"); answer := stagedoor.Authenticate("+12025550100", stagedoor.Code("+12025550100"))
package PACKAGE

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
)

type Object = map[string]any
type Person struct{ UserID, Name, Phone, Email string }
type Answer struct {
	Status                 int
	Body                   Object
	Reason, RequestID, raw string // of Stagedoor: why it was rejected, and its row in the request log
}

// Stagedoor is a separate app for one test, deleted when the test ends. T.Fatal is told why there is no code.
type Stagedoor struct {
	AppID, Secret, AdminURL, AuthURL, AccessToken, control, own string
	People                                                      []Person `json:"profiles"`
	T                                                           testing.TB
	asked                                                       map[string][]string
}

// New creates an app; t.Parallel() is fine. app: what POST apps takes, such as Object{"profiles": …}; nil: a copy of the only app of `exec --fixtures`, or two users.
func New(t testing.TB, app Object) *Stagedoor {
	first := func(given ...string) string { return append(strings.Fields(strings.Join(given, " ")), "")[0] }
	s := &Stagedoor{T: t, asked: map[string][]string{}, AccessToken: first(os.Getenv("STAGEDOOR_ACCESS_TOKEN"), os.Getenv("STAGEDOOR_JOIN_TOKEN"))}
	s.control = first(os.Getenv("STAGEDOOR_CONSOLE_URL"), "http://127.0.0.1:4012") + "/emulator/v1/"
	users := []Object{{"name": "Ada Lovelace", "phone": "+12025550100"}, {"name": "Grace Hopper", "phone": "+12025550101"}}
	body := map[bool]Object{true: {"ttlSeconds": 3600, "copyOf": os.Getenv("STAGEDOOR_COPIED_APP")}, false: {"ttlSeconds": 3600, "profiles": users}}[app == nil && os.Getenv("STAGEDOOR_COPIED_APP") != ""]
	for key, value := range app {
		body[key] = value
	}
	_ = json.Unmarshal([]byte(s.call("POST", s.control+"apps", body).raw), s)
	s.own = s.control + "apps/" + s.AppID
	t.Cleanup(func() { s.call("DELETE", s.own, Object{}) })
	return s
}

// Start requests a code: status 202; 200 for a new user, who signs up at once and gets none.
func (s *Stagedoor) Start(to string) Answer {
	answer := s.session("POST", to, Object{})
	s.asked[to] = strings.Fields(answer.RequestID)
	return answer
}

// Code is the newest code of this user that was not read yet, whoever requested it. The test fails with the reason if none comes.
func (s *Stagedoor) Code(to string) string {
	s.T.Helper()
	query := url.Values{"appId": {s.AppID}, "to": {to}, "unread": {"1"}, "wait": {"10s"}, "requestId": s.asked[to]}.Encode()
	delete(s.asked, to)
	return s.call("GET", s.control+"passcodes/latest?"+query, Object{}).Body["code"].(string)
}

// Authenticate enters a code: the session with its token, or the error.
func (s *Stagedoor) Authenticate(to, code string) Answer {
	return s.session("PUT", to, Object{"passcode": code})
}

// SignIn is the token of a session, without a code; it creates the user if there is none.
func (s *Stagedoor) SignIn(to string) string {
	return s.call("POST", s.control+"sessions", Object{"appId": s.AppID, "to": to, "create": true}).Body["token"].(string)
}

// Fault simulates a failure: Fault(Object{"method": "POST"}, Object{"status": 503}, 1).
func (s *Stagedoor) Fault(match, effect Object, times int) {
	s.call("POST", s.control+"faults?appId="+s.AppID, Object{"match": match, "effect": effect, "times": times})
}

// Advance moves this app's clock, so that codes and sessions expire.
func (s *Stagedoor) Advance(seconds int) {
	s.call("POST", s.control+"clock/advance", Object{"appId": s.AppID, "seconds": seconds})
}

// Settings changes settings of this app: Settings(Object{"limits": Object{"otpPerMinute": 1}}).
func (s *Stagedoor) Settings(to Object) { s.call("PATCH", s.own, Object{"settings": to}) }

// Profile is the user with this phone or email; empty if there is none.
func (s *Stagedoor) Profile(to string) Person {
	var found struct{ Items []Person }
	_ = json.Unmarshal([]byte(s.call("GET", s.control+"profiles?"+url.Values{"appId": {s.AppID}, "q": {to}}.Encode(), Object{}).raw), &found)
	for len(found.Items) > 0 && found.Items[0].Phone != to && found.Items[0].Email != to {
		found.Items = found.Items[1:]
	}
	return append(found.Items, Person{})[0]
}

func (s *Stagedoor) session(method, to string, body Object) Answer {
	body["appId"], body["user"] = s.AppID, Object{map[bool]string{true: "email", false: "phone"}[strings.Contains(to, "@")]: to}
	return s.call(method, s.AuthURL+"/v1/users/session", body)
}

func (s *Stagedoor) call(method, address string, body Object) Answer {
	s.T.Helper()
	if method == "DELETE" && s.T.Failed() { // The end of a test that failed: which requests of its app were rejected?
		s.T.Logf("Stagedoor rejected:\n%s", s.call("GET", strings.Replace(s.own, "apps/", "requests/failed?appId=", 1), Object{}).Body["text"])
	}
	sent, _ := json.Marshal(body)
	request, _ := http.NewRequest(method, address, strings.NewReader(string(sent)))
	request.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + s.AccessToken}}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.T.Fatal("Stagedoor does not respond: " + err.Error() + ". Start it with `stagedoor start`, or run `stagedoor exec -- go test ./...`")
	}
	defer response.Body.Close()
	read, _ := io.ReadAll(response.Body)
	answer := Answer{response.StatusCode, nil, response.Header.Get("Emulator-Reason"), response.Header.Get("Emulator-Request-Id"), string(read)}
	if json.Unmarshal(read, &answer.Body); answer.Status >= 400 && strings.HasPrefix(address, s.control) {
		s.T.Fatal(method, address, answer.Reason, answer.Body)
	}
	return answer
}
