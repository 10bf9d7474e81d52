<?php
// What a test with Stagedoor can do. Printed by `stagedoor helper phpunit --example`.
require_once __DIR__ . '/StagedoorTestCase.php';

final class LoginTest extends StagedoorTestCase
{
    private const ADA = '+12025550100';
    private const NOBODY = '+12025550188';

    public function testSignsInWithTheCode(): void
    {
        self::assertSame(['Ada Lovelace', 'Grace Hopper'], array_column($this->stagedoor->people, 'name'));
        self::assertSame(202, $this->stagedoor->start(self::ADA)->status);
        $code = $this->stagedoor->code(self::ADA);
        $answer = $this->stagedoor->authenticate(self::ADA, $code);
        self::assertSame(200, $answer->status);
        self::assertSame($this->stagedoor->profile(self::ADA)['userId'], $answer->body['userId']);
        self::assertSame('passcode_used', $this->stagedoor->authenticate(self::ADA, $code)->reason);
    }

    public function testAWrongCodeIsRefused(): void
    {
        $this->stagedoor->start(self::ADA);
        $wrong = $this->stagedoor->code(self::ADA) === '000000' ? '111111' : '000000';
        self::assertSame('passcode_mismatch', $this->stagedoor->authenticate(self::ADA, $wrong)->reason);
    }

    public function testACodeExpires(): void
    {
        $this->stagedoor->start(self::ADA);
        $code = $this->stagedoor->code(self::ADA);
        $this->stagedoor->advance(660);
        self::assertSame('passcode_expired', $this->stagedoor->authenticate(self::ADA, $code)->reason);
    }

    public function testEachCodeIsReadOnce(): void
    {
        $this->stagedoor->start(self::ADA);
        $this->stagedoor->code(self::ADA);
        $this->stagedoor->start(self::ADA);
        self::assertSame(200, $this->stagedoor->authenticate(self::ADA, $this->stagedoor->code(self::ADA))->status);
    }

    public function testAFailureIsMetOnce(): void
    {
        $this->stagedoor->fault(['method' => 'POST'], ['status' => 503]);
        self::assertSame(503, $this->stagedoor->start(self::ADA)->status);
        self::assertSame(202, $this->stagedoor->start(self::ADA)->status);
    }

    public function testSignsInWithoutACode(): void
    {
        self::assertSame(2, substr_count($this->stagedoor->signIn(self::NOBODY), '.'));
        self::assertSame(self::NOBODY, $this->stagedoor->profile(self::NOBODY)['phone']);
    }

    public function testWhoIsNewSignsUpAndGetsNoCode(): void
    {
        self::assertSame(200, $this->stagedoor->start(self::NOBODY)->status);
        $this->expectExceptionMessage('signed_up');
        $this->stagedoor->code(self::NOBODY);
    }

    public function testAWrongAppSaysSo(): void
    {
        $this->stagedoor->appId = 'ghost';
        self::assertSame(401, $this->stagedoor->start(self::ADA)->status);
        $this->expectExceptionMessage('No app "ghost"');
        $this->stagedoor->code(self::ADA);
    }

    public function testARateLimitSaysSo(): void
    {
        $this->stagedoor->settings(['limits' => ['otpPerMinute' => 1]]);
        self::assertSame(202, $this->stagedoor->start(self::ADA)->status);
        self::assertSame(429, $this->stagedoor->start(self::ADA)->status);
        $this->expectExceptionMessage('rate_limited');
        $this->stagedoor->code(self::ADA);
    }

    public function testACodeThatNeverComesSaysSo(): void
    {
        $this->stagedoor->fault(['to' => self::ADA], ['undelivered' => true]);
        $this->stagedoor->start(self::ADA);
        $this->expectExceptionMessage('undelivered');
        $this->stagedoor->code(self::ADA);
    }
}
