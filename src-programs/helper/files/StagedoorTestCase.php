<?php
// Stagedoor in PHPUnit: a separate app for each test. Printed by `stagedoor helper phpunit`, version VERSION.
//     final class LoginTest extends StagedoorTestCase {
//         public function testLogin(): void {
//             $this->stagedoor->start('+12025550100'); // or your app requests a code, with $this->stagedoor->appId
//             $answer = $this->stagedoor->authenticate('+12025550100', $this->stagedoor->code('+12025550100'));
// It finds Stagedoor by STAGEDOOR_CONSOLE_URL, which `stagedoor exec -- phpunit` sets, by stagedoor.config.json, or at port 4012.
use PHPUnit\Framework\TestCase;

abstract class StagedoorTestCase extends TestCase
{
    protected Stagedoor $stagedoor;
    private string $rejected = '';

    protected function setUp(): void { parent::setUp(); $this->stagedoor = new Stagedoor($this->stagedoorApp()); }
    protected function tearDown(): void { $this->rejected = $this->stagedoor->rejected(); $this->stagedoor->close(); parent::tearDown(); }
    /** Adds to a failure which requests were rejected, and how to fix them. */
    protected function onNotSuccessfulTest(Throwable $failure): never
    {
        $message = new ReflectionProperty($failure instanceof Error ? Error::class : Exception::class, 'message');
        $message->setAccessible(true);
        if ($this->rejected !== '') $message->setValue($failure, $failure->getMessage() . "\n\nStagedoor rejected:\n$this->rejected");
        throw $failure;
    }
    /** What POST apps takes: a copy of the only app of `exec --fixtures`, or two users. Override it for other users or settings. */
    protected function stagedoorApp(): array
    {
        return getenv('STAGEDOOR_COPIED_APP') ? ['copyOf' => getenv('STAGEDOOR_COPIED_APP')] : ['profiles' => [['name' => 'Ada Lovelace', 'phone' => '+12025550100'], ['name' => 'Grace Hopper', 'phone' => '+12025550101']]];
    }
}

/** A response. reason and requestId are Stagedoor's: why it was rejected, and its row in the request log. */
final class StagedoorAnswer { public function __construct(public int $status, public ?array $body, public ?string $reason, public ?string $requestId) {} }

final class Stagedoor
{
    public string $appId, $secret, $adminUrl, $authUrl;
    public array $people;
    private string $own;
    private ?string $token;
    private array $asked = [];
    public function __construct(array $app)
    {
        $this->token = getenv('STAGEDOOR_ACCESS_TOKEN') ?: getenv('STAGEDOOR_JOIN_TOKEN') ?: null;
        $made = $this->control('POST', 'apps', ['ttlSeconds' => 3600] + $app);
        ['appId' => $this->appId, 'secret' => $this->secret, 'adminUrl' => $this->adminUrl, 'authUrl' => $this->authUrl, 'profiles' => $this->people] = $made;
        $this->own = $this->appId;
        $this->token = $made['accessToken'] ?? $this->token;
    }
    /** Requests a code: status 202; 200 for a new user, who signs up at once and gets none. */
    public function start(string $to): StagedoorAnswer
    {
        $answer = $this->session('POST', $to);
        $this->asked[$to] = $answer->requestId;
        return $answer;
    }
    /** The newest code of this user that was not read yet, whoever requested it. Throws with the reason if none comes. */
    public function code(string $to, string $wait = '10s'): string
    {
        $query = ['appId' => $this->appId, 'to' => $to, 'unread' => 1, 'wait' => $wait, 'requestId' => $this->asked[$to] ?? null];
        unset($this->asked[$to]);
        return $this->control('GET', 'passcodes/latest?' . http_build_query($query))['code'];
    }
    /** Enters a code: the session with its token, or the error. */
    public function authenticate(string $to, string $code): StagedoorAnswer { return $this->session('PUT', $to, ['passcode' => $code]); }
    /** The token of a session, without a code; creates the user if there is none. */
    public function signIn(string $to): string { return $this->control('POST', 'sessions', ['appId' => $this->appId, 'to' => $to, 'create' => true])['token']; }
    /** Simulates a failure: fault(['method' => 'POST'], ['status' => 503]), fault(['to' => $to], ['undelivered' => true]). */
    public function fault(array $match, array $effect, int $times = 1): void { $this->control('POST', 'faults', ['match' => ['appId' => $this->appId] + $match, 'effect' => $effect, 'times' => $times]); }
    /** Moves this app's clock, so that codes and sessions expire. */
    public function advance(int $seconds): void { $this->control('POST', 'clock/advance', ['seconds' => $seconds, 'appId' => $this->appId]); }
    /** Changes settings of this app: settings(['limits' => ['otpPerMinute' => 1]]). */
    public function settings(array $settings): void { $this->control('PATCH', "apps/$this->own", ['settings' => $settings]); }
    /** The profile with this phone or email; null if there is none. */
    public function profile(string $to): ?array
    {
        $found = $this->control('GET', 'profiles?' . http_build_query(['appId' => $this->appId, 'q' => $to]))['items'];
        return array_values(array_filter($found, fn ($one) => in_array($to, [$one['phone'], $one['email']], true)))[0] ?? null;
    }
    /** The requests of this app that were rejected so far, a line each. */
    public function rejected(): string { return $this->control('GET', "requests/failed?appId=$this->own")['text']; }
    public function close(): void { $this->control('DELETE', "apps/$this->own"); }
    private function session(string $method, string $to, array $more = []): StagedoorAnswer
    {
        return $this->call($method, "$this->authUrl/v1/users/session", ['appId' => $this->appId, 'user' => [str_contains($to, '@') ? 'email' : 'phone' => $to]] + $more);
    }

    /** The console of the nearest stagedoor.config.json in the repository, or the default. Throws if the project's does not run. */
    private function console(): string
    {
        $top = $here = getcwd();
        while ($top !== getenv('HOME') && !file_exists("$top/.git") && $top !== dirname($top)) $top = dirname($top);
        while ($top !== dirname($top) && $here !== $top && !is_file("$here/stagedoor.config.json")) $here = dirname($here);
        $text = preg_replace('~("(?:\\\\.|[^"\\\\])*")|//.*|/\*[\s\S]*?\*/~', '$1', (string) @file_get_contents("$here/stagedoor.config.json"));
        $field = fn ($name) => preg_match("~\"$name\"\\s*:\\s*\"?([^\",}\\n]+)~", $text, $found) ? trim($found[1]) : null;
        [$data, $port] = [$field('data'), $field('consolePort')];
        $held = $data === null ? null : json_decode((string) @file_get_contents("$here/$data/lock.json"), true)['consoleUrl'] ?? null;
        if ($held === null && (int) ($port ?? ($data === null ? 4012 : 0)) === 0) throw new RuntimeException("The Stagedoor of $here/stagedoor.config.json is not running. Run `stagedoor start`, or the tests with `stagedoor exec -- phpunit`.");
        return $held ?? 'http://127.0.0.1:' . ($port ?? 4012);
    }
    private function control(string $method, string $path, ?array $body = null): ?array
    {
        $answer = $this->call($method, (getenv('STAGEDOOR_CONSOLE_URL') ?: $this->console()) . "/emulator/v1/$path", $body);
        if ($answer->status < 400) return $answer->body;
        $why = $answer->body['reason'] ?? $answer->reason;
        throw new RuntimeException("$method $path: $why: " . ($answer->body['instruction'] ?? json_encode($answer->body)));
    }
    private function call(string $method, string $url, ?array $body): StagedoorAnswer
    {
        $headers = array_merge(['Content-Type: application/json'], $this->token === null ? [] : ["Authorization: Bearer $this->token"]);
        $content = $body === null ? '' : json_encode($body);
        $http = ['method' => $method, 'header' => $headers, 'content' => $content, 'ignore_errors' => true, 'timeout' => 70];
        $text = @file_get_contents($url, false, stream_context_create(['http' => $http]));
        if ($text === false) throw new RuntimeException("Stagedoor does not respond at $url. Run `stagedoor start`, or the tests with `stagedoor exec -- phpunit`.");
        $all = implode("\n", $http_response_header);
        $header = fn ($name) => preg_match("/^$name: *(.*)$/mi", $all, $found) ? trim($found[1]) : null;
        $status = preg_match('/^HTTP\S* (\d+)/', $all, $found) ? (int) $found[1] : 0;
        return new StagedoorAnswer($status, json_decode($text, true), $header('Emulator-Reason'), $header('Emulator-Request-Id'));
    }
}
