/** A deliberate slip for each helper: the app under test sends its code as `otp`, which is no field of a PUT. */

/** By helper: where its test belongs, the test, and the command that runs it. */
export const SLIPS: Readonly<Record<string, readonly [file: string, text: string]>> = {
  pytest: [
    "test_slip.py",
    `def test_signs_in(stagedoor):
    from urllib.request import Request, urlopen
    stagedoor.start("+12025550100")
    body = '{"appId": "%s", "user": {"phone": "+12025550100"}, "otp": "%s"}' % (stagedoor.app_id, stagedoor.code("+12025550100"))
    json = {"Content-Type": "application/json"}
    assert urlopen(Request(stagedoor.auth_url + "/v1/users/session", body.encode(), json, method="PUT")).status == 200
`,
  ],
  junit5: [
    "SlipTest.java",
    `import static org.junit.jupiter.api.Assertions.*;
import java.net.*; import java.net.http.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
@ExtendWith(Stagedoor.PerTest.class)
class SlipTest {
  @Test void signsIn(Stagedoor stagedoor) throws Exception {
    stagedoor.start("+12025550100");
    var body = "{\\"appId\\": \\"" + stagedoor.appId + "\\", \\"user\\": {\\"phone\\": \\"+12025550100\\"}, \\"otp\\": \\"" + stagedoor.code("+12025550100") + "\\"}";
    var request = HttpRequest.newBuilder(URI.create(stagedoor.authUrl + "/v1/users/session")).header("Content-Type", "application/json").PUT(HttpRequest.BodyPublishers.ofString(body)).build();
    assertEquals(200, HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).statusCode());
  }
}
`,
  ],
  go: [
    "slip_test.go",
    `package main_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestSignsIn(t *testing.T) {
	stagedoor := New(t, nil)
	stagedoor.Start("+12025550100")
	body := \`{"appId": "\` + stagedoor.AppID + \`", "user": {"phone": "+12025550100"}, "otp": "\` + stagedoor.Code("+12025550100") + \`"}\`
	request, _ := http.NewRequest("PUT", stagedoor.AuthURL+"/v1/users/session", strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	response, _ := http.DefaultClient.Do(request)
	if response.StatusCode != 200 {
		t.Errorf("status %d, want 200", response.StatusCode)
	}
}
`,
  ],
  rspec: [
    "spec/slip_spec.rb",
    `require "stagedoor_helper"
describe "login" do
  it "signs in" do
    stagedoor.start("+12025550100")
    body = { appId: stagedoor.app_id, user: { phone: "+12025550100" }, otp: stagedoor.code("+12025550100") }
    uri = URI("#{stagedoor.auth_url}/v1/users/session")
    answer = Net::HTTP.new(uri.host, uri.port, nil).send_request("PUT", uri.path, JSON.generate(body), "Content-Type" => "application/json")
    expect(answer.code).to eq("200")
  end
end
`,
  ],
  phpunit: [
    "tests/SlipTest.php",
    `<?php
require_once __DIR__ . '/StagedoorTestCase.php';
final class SlipTest extends StagedoorTestCase
{
    public function testSignsIn(): void
    {
        $this->stagedoor->start('+12025550100');
        $body = json_encode(['appId' => $this->stagedoor->appId, 'user' => ['phone' => '+12025550100'], 'otp' => $this->stagedoor->code('+12025550100')]);
        $http = ['method' => 'PUT', 'header' => 'Content-Type: application/json', 'content' => $body, 'ignore_errors' => true];
        file_get_contents($this->stagedoor->authUrl . '/v1/users/session', false, stream_context_create(['http' => $http]));
        self::assertStringContainsString(' 200 ', $http_response_header[0]);
    }
}
`,
  ],
};
