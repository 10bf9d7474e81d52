// Stagedoor in Go tests: an app of its own for each test. Printed by `stagedoor helper go`, version VERSION.
//
//	stagedoor := New(t, nil)
//	stagedoor.Start("+12025550100") // or your app asks for a code, with stagedoor.AppID
//	answer := stagedoor.Authenticate("+12025550100", stagedoor.Code("+12025550100"))
//
// It finds Stagedoor by STAGEDOOR_CONSOLE_URL, which `stagedoor exec -- go test ./...` sets, else at http://127.0.0.1:4012.
package PACKAGE

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
)

type Object = map[string]any
type Person struct{ UserID, Name, Phone, Email string }

// Answer is a response. Reason and RequestID are Stagedoor's: why it was refused, and its row in the request log.
type Answer struct {
	Status            int
	Body              Object
	Reason, RequestID string
}

// Stagedoor is an app of its own for one test, deleted when the test ends.
type Stagedoor struct {
	AppID, Secret, AdminURL, AuthURL, AccessToken string
	People                                        []Person `json:"profiles"`
	t                                             *testing.T
	console                                       string
	asked                                         map[string]string
}

// New makes an app; t.Parallel() is fine. app: what POST apps takes, such as Object{"profiles": …}; nil: two people by phone.
func New(t *testing.T, app Object) *Stagedoor {
	s := &Stagedoor{t: t, asked: map[string]string{}, AccessToken: os.Getenv("STAGEDOOR_ACCESS_TOKEN") + os.Getenv("STAGEDOOR_JOIN_TOKEN")}
	if s.console = os.Getenv("STAGEDOOR_CONSOLE_URL"); s.console == "" {
		s.console = "http://127.0.0.1:4012"
	}
	body := Object{"ttlSeconds": 3600, "profiles": []Object{{"name": "Ada Lovelace", "phone": "+12025550100"}, {"name": "Grace Hopper", "phone": "+12025550101"}}}
	for key, value := range app {
		body[key] = value
	}
	s.control("POST", "apps", body, s)
	own := url.PathEscape(s.AppID)
	t.Cleanup(func() { s.control("DELETE", "apps/"+own, Object{}, nil) })
	return s
}

func (s *Stagedoor) call(method, address string, body Object, into any) (answer Answer, err error) {
	sent, _ := json.Marshal(body)
	request, _ := http.NewRequest(method, address, bytes.NewReader(sent))
	request.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + s.AccessToken}}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatalf("Stagedoor does not respond: %v. Start it with `stagedoor start`, or run `stagedoor exec -- go test ./...`", err)
	}
	defer response.Body.Close()
	read, _ := io.ReadAll(response.Body)
	_, _ = json.Unmarshal(read, &answer.Body), json.Unmarshal(read, into)
	answer.Status, answer.Reason, answer.RequestID = response.StatusCode, response.Header.Get("Emulator-Reason"), response.Header.Get("Emulator-Request-Id")
	if answer.Status >= 400 {
		err = fmt.Errorf("%s %s: %s %v", method, request.URL.Path, answer.Reason, answer.Body)
	}
	return answer, err
}

func (s *Stagedoor) control(method, path string, body Object, into any) {
	if _, err := s.call(method, s.console+"/emulator/v1/"+path, body, into); err != nil {
		s.t.Fatal(err)
	}
}

func (s *Stagedoor) session(method, to string, body Object) Answer {
	body["appId"], body["user"] = s.AppID, Object{"phone": to}
	if strings.Contains(to, "@") {
		body["user"] = Object{"email": to}
	}
	answer, _ := s.call(method, s.AuthURL+"/v1/users/session", body, nil)
	return answer
}

// Start asks for a code: status 202; 200 for somebody new, who signs up at once and gets none.
func (s *Stagedoor) Start(to string) Answer {
	answer := s.session("POST", to, Object{})
	s.asked[to] = answer.RequestID
	return answer
}

// TryCode is the newest code of this user that was not read yet, whoever asked for it; or why none came.
func (s *Stagedoor) TryCode(to string) (string, error) {
	query := url.Values{"appId": {s.AppID}, "to": {to}, "unread": {"1"}, "wait": {"10s"}}
	if s.asked[to] != "" {
		query.Set("requestId", s.asked[to])
	}
	delete(s.asked, to)
	answer, err := s.call("GET", s.console+"/emulator/v1/passcodes/latest?"+query.Encode(), Object{}, nil)
	code, _ := answer.Body["code"].(string)
	return code, err
}

// Code is as TryCode; the test fails with the reason if none comes.
func (s *Stagedoor) Code(to string) string {
	s.t.Helper()
	code, err := s.TryCode(to)
	if err != nil {
		s.t.Fatal(err)
	}
	return code
}

// Authenticate enters a code: the session with its token, or the refusal.
func (s *Stagedoor) Authenticate(to, code string) Answer {
	return s.session("PUT", to, Object{"passcode": code})
}

// SignIn is the token of a session, without a code; it makes the user if there is none.
func (s *Stagedoor) SignIn(to string) string {
	var made struct{ Token string }
	s.control("POST", "sessions", Object{"appId": s.AppID, "to": to, "create": true}, &made)
	return made.Token
}

// Fault simulates a failure: Fault(Object{"method": "POST"}, Object{"status": 503}, 1).
func (s *Stagedoor) Fault(match, effect Object, times int) {
	s.control("POST", "faults?appId="+s.AppID, Object{"match": match, "effect": effect, "times": times}, nil)
}

// Advance moves this app's clock, so that codes and sessions expire.
func (s *Stagedoor) Advance(seconds int) {
	s.control("POST", "clock/advance", Object{"appId": s.AppID, "seconds": seconds}, nil)
}

// Settings changes settings of this app: Settings(Object{"limits": Object{"otpPerMinute": 1}}).
func (s *Stagedoor) Settings(settings Object) {
	s.control("PATCH", "apps/"+s.AppID, Object{"settings": settings}, nil)
}

// Profile is the user with this phone or email; empty if there is none.
func (s *Stagedoor) Profile(to string) (profile Person) {
	var found struct{ Items []Person }
	s.control("GET", "profiles?"+url.Values{"appId": {s.AppID}, "q": {to}}.Encode(), Object{}, &found)
	for _, one := range found.Items {
		if one.Phone == to || one.Email == to {
			profile = one
		}
	}
	return profile
}
