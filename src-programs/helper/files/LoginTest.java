// What a test with Stagedoor can do. Printed by `stagedoor helper junit5 --example`.
import static org.junit.jupiter.api.Assertions.*;

import java.util.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Stagedoor.PerTest.class)
class LoginTest {
  static final String ADA = "+12025550100", NOBODY = "+12025550188";

  static void saysWhy(String why, Stagedoor stagedoor, String to) {
    var message = assertThrows(AssertionError.class, () -> stagedoor.code(to)).getMessage();
    assertTrue(message.contains(why), message);
  }

  @Test
  void signsInWithTheCode(Stagedoor stagedoor) {
    assertEquals("Ada Lovelace", stagedoor.people.get(0).get("name"));
    assertEquals(202, stagedoor.start(ADA).status());
    var code = stagedoor.code(ADA);
    var answer = stagedoor.authenticate(ADA, code);
    assertEquals(200, answer.status());
    assertEquals(stagedoor.profile(ADA).get("userId"), answer.body().get("userId"));
    assertEquals("passcode_used", stagedoor.authenticate(ADA, code).reason());
  }

  @Test
  void aWrongCodeIsRefused(Stagedoor stagedoor) {
    stagedoor.start(ADA);
    var wrong = stagedoor.code(ADA).equals("000000") ? "111111" : "000000";
    assertEquals("passcode_mismatch", stagedoor.authenticate(ADA, wrong).reason());
  }

  @Test
  void aCodeExpires(Stagedoor stagedoor) {
    stagedoor.start(ADA);
    var code = stagedoor.code(ADA);
    stagedoor.advance(660);
    assertEquals("passcode_expired", stagedoor.authenticate(ADA, code).reason());
  }

  @Test
  void eachCodeIsReadOnce(Stagedoor stagedoor) {
    stagedoor.start(ADA);
    stagedoor.code(ADA);
    stagedoor.start(ADA);
    assertEquals(200, stagedoor.authenticate(ADA, stagedoor.code(ADA)).status());
  }

  @Test
  void aFailureIsMetOnce(Stagedoor stagedoor) {
    stagedoor.fault(Map.of("method", "POST"), Map.of("status", 503), 1);
    assertEquals(503, stagedoor.start(ADA).status());
    assertEquals(202, stagedoor.start(ADA).status());
  }

  @Test
  void signsInWithoutACode(Stagedoor stagedoor) {
    assertEquals(3, stagedoor.signIn(NOBODY).split("\\.").length);
    assertEquals(NOBODY, stagedoor.profile(NOBODY).get("phone"));
  }

  @Test
  void whoIsNewSignsUpAndGetsNoCode(Stagedoor stagedoor) {
    assertEquals(200, stagedoor.start(NOBODY).status());
    saysWhy("signed_up", stagedoor, NOBODY);
  }

  @Test
  void aWrongAppSaysSo(Stagedoor stagedoor) {
    stagedoor.appId = "ghost";
    assertEquals(401, stagedoor.start(ADA).status());
    saysWhy("No app \"ghost\"", stagedoor, ADA);
  }

  @Test
  void aRateLimitSaysSo(Stagedoor stagedoor) {
    stagedoor.settings(Map.of("limits", Map.of("otpPerMinute", 1)));
    assertEquals(202, stagedoor.start(ADA).status());
    assertEquals(429, stagedoor.start(ADA).status());
    saysWhy("rate_limited", stagedoor, ADA);
  }

  @Test
  void aCodeThatNeverComesSaysSo(Stagedoor stagedoor) {
    stagedoor.fault(Map.of("to", ADA), Map.of("undelivered", true), 1);
    stagedoor.start(ADA);
    saysWhy("undelivered", stagedoor, ADA);
  }
}
