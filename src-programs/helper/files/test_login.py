"""What a test with Stagedoor can do. Printed by `stagedoor helper pytest --example`."""
import pytest

ADA, NOBODY = "+12025550100", "+12025550188"


def test_signs_in_with_the_code(stagedoor):
    assert [one["name"] for one in stagedoor.people] == ["Ada Lovelace", "Grace Hopper"]
    assert stagedoor.start(ADA).status == 202
    code = stagedoor.code(ADA)
    status, session = stagedoor.authenticate(ADA, code)
    assert status == 200 and session["userId"] == stagedoor.profile(ADA)["userId"]
    assert stagedoor.authenticate(ADA, code)[0] == 401 and stagedoor.last.reason == "passcode_used"


def test_a_wrong_code_is_refused(stagedoor):
    stagedoor.start(ADA)
    wrong = "000000" if stagedoor.code(ADA) != "000000" else "111111"
    assert stagedoor.authenticate(ADA, wrong)[0] == 401 and stagedoor.last.reason == "passcode_mismatch"


def test_a_code_expires(stagedoor):
    stagedoor.start(ADA)
    code = stagedoor.code(ADA)
    stagedoor.advance(660)
    assert stagedoor.authenticate(ADA, code)[0] == 401 and stagedoor.last.reason == "passcode_expired"


def test_each_code_is_read_once(stagedoor):
    codes = [stagedoor.start(ADA) and stagedoor.code(ADA) for _ in range(2)]
    assert stagedoor.authenticate(ADA, codes[1])[0] == 200


def test_a_failure_is_met_once(stagedoor):
    stagedoor.fault({"method": "POST"}, {"status": 503})
    assert [stagedoor.start(ADA).status for _ in range(2)] == [503, 202]


def test_signs_in_without_a_code(stagedoor):
    assert stagedoor.sign_in(NOBODY).count(".") == 2
    assert stagedoor.profile(NOBODY)["phone"] == NOBODY


def test_who_is_new_signs_up_and_gets_no_code(stagedoor):
    assert stagedoor.start(NOBODY).status == 200
    with pytest.raises(AssertionError, match="signed_up"):
        stagedoor.code(NOBODY)


def test_a_wrong_app_says_so(stagedoor):
    stagedoor.app_id = "ghost"
    assert stagedoor.start(ADA).status == 401
    with pytest.raises(AssertionError, match='No app "ghost"'):
        stagedoor.code(ADA)


def test_a_rate_limit_says_so(stagedoor):
    stagedoor.settings(limits={"otpPerMinute": 1})
    assert [stagedoor.start(ADA).status for _ in range(2)] == [202, 429]
    with pytest.raises(AssertionError, match="rate_limited"):
        stagedoor.code(ADA)


def test_a_code_that_never_comes_says_so(stagedoor):
    stagedoor.fault({"to": ADA}, {"undelivered": True})
    stagedoor.start(ADA)
    with pytest.raises(AssertionError, match="undelivered"):
        stagedoor.code(ADA)
