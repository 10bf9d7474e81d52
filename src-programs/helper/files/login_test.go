// What a test with Stagedoor can do. Printed by `stagedoor helper go --example`.
package PACKAGE

import (
	"fmt"
	"strings"
	"testing"
)

const ada, nobody = "+12025550100", "+12025550188"

func expect(t *testing.T, got, want any) {
	t.Helper()
	if got != want {
		t.Fatalf("got %v, expected %v", got, want)
	}
}

// listener hears what the test would fail with.
type listener struct{ testing.TB }

func (listener) Fatal(why ...any) { panic(fmt.Sprint(why...)) }

func saysWhy(t *testing.T, stagedoor *Stagedoor, to, why string) {
	t.Helper()
	stagedoor.T = listener{t}
	defer func() {
		stagedoor.T = t
		if said := fmt.Sprint(recover()); !strings.Contains(said, why) {
			t.Errorf("got %q, expected %s", said, why)
		}
	}()
	stagedoor.Code(to)
}

func TestSignsInWithTheCode(t *testing.T) {
	t.Parallel()
	stagedoor := New(t, nil)
	expect(t, stagedoor.People[0].Name, "Ada Lovelace")
	expect(t, stagedoor.Start(ada).Status, 202)
	code := stagedoor.Code(ada)
	answer := stagedoor.Authenticate(ada, code)
	expect(t, answer.Status, 200)
	expect(t, answer.Body["userId"], stagedoor.Profile(ada).UserID)
	expect(t, stagedoor.Authenticate(ada, code).Reason, "passcode_used")
}

func TestAWrongCodeIsRefused(t *testing.T) {
	t.Parallel()
	stagedoor := New(t, nil)
	stagedoor.Start(ada)
	wrong := "000000"
	if stagedoor.Code(ada) == wrong {
		wrong = "111111"
	}
	expect(t, stagedoor.Authenticate(ada, wrong).Reason, "passcode_mismatch")
}

func TestACodeExpires(t *testing.T) {
	t.Parallel()
	stagedoor := New(t, nil)
	stagedoor.Start(ada)
	code := stagedoor.Code(ada)
	stagedoor.Advance(660)
	expect(t, stagedoor.Authenticate(ada, code).Reason, "passcode_expired")
}

func TestEachCodeIsReadOnce(t *testing.T) {
	t.Parallel()
	stagedoor := New(t, nil)
	stagedoor.Start(ada)
	stagedoor.Code(ada)
	stagedoor.Start(ada)
	expect(t, stagedoor.Authenticate(ada, stagedoor.Code(ada)).Status, 200)
}

func TestAFailureIsMetOnce(t *testing.T) {
	t.Parallel()
	stagedoor := New(t, nil)
	stagedoor.Fault(Object{"method": "POST"}, Object{"status": 503}, 1)
	expect(t, stagedoor.Start(ada).Status, 503)
	expect(t, stagedoor.Start(ada).Status, 202)
}

func TestSignsInWithoutACode(t *testing.T) {
	t.Parallel()
	stagedoor := New(t, nil)
	expect(t, strings.Count(stagedoor.SignIn(nobody), "."), 2)
	expect(t, stagedoor.Profile(nobody).Phone, nobody)
}

func TestWhoIsNewSignsUpAndGetsNoCode(t *testing.T) {
	t.Parallel()
	stagedoor := New(t, nil)
	expect(t, stagedoor.Start(nobody).Status, 200)
	saysWhy(t, stagedoor, nobody, "signed_up")
}

func TestAWrongAppSaysSo(t *testing.T) {
	t.Parallel()
	stagedoor := New(t, nil)
	stagedoor.AppID = "ghost"
	expect(t, stagedoor.Start(ada).Status, 401)
	saysWhy(t, stagedoor, ada, `No app "ghost"`)
}

func TestARateLimitSaysSo(t *testing.T) {
	t.Parallel()
	stagedoor := New(t, nil)
	stagedoor.Settings(Object{"limits": Object{"otpPerMinute": 1}})
	expect(t, stagedoor.Start(ada).Status, 202)
	expect(t, stagedoor.Start(ada).Status, 429)
	saysWhy(t, stagedoor, ada, "rate_limited")
}

func TestACodeThatNeverComesSaysSo(t *testing.T) {
	t.Parallel()
	stagedoor := New(t, nil)
	stagedoor.Fault(Object{"to": ada}, Object{"undelivered": true}, 1)
	stagedoor.Start(ada)
	saysWhy(t, stagedoor, ada, "undelivered")
}
