import { expect, test } from "stagedoor/playwright";

const LATER = "Please try again later";
const SENT = "Enter your code";
const WRONG = "That code is wrong";
const IN = "Signed in as";

const ASK = {
  ...{ codeResent: SENT, codeTwice: SENT, codeNeverCame: SENT, slowAnswer: SENT, signedUpAgain: "Welcome" },
  ...{ signUpRefused: LATER, rateLimited: LATER, noAnswer: LATER, serverError: LATER, appGaveUp: "" },
};
const TYPE = {
  ...{ locked: WRONG, expiredCode: WRONG, replacedCode: WRONG, usedCode: WRONG, noCode: WRONG },
  ...{ codeLate: IN, signedInAfterExpiry: IN, signedInAfterRevocation: IN },
};

for (const [outcome, text] of Object.entries({ ...ASK, ...TYPE }))
  test(outcome, async ({ page, user, stagedoor: { client } }) => {
    const to = user.phone;
    const { set } = await client.coverage.provoke(outcome, { appId: process.env.STAGEDOOR_APP_ID, to });
    await page.goto("/");
    await page.getByLabel("Phone").fill(to);
    await page.getByRole("button", { name: "Send me a code" }).click();
    if (outcome === "appGaveUp") while ((await client.faults.get(set.faultId)).used === 0);
    if (outcome in TYPE) {
      await page.getByLabel("Code").fill((await user.passcode()).code);
      await page.getByRole("button", { name: "Sign in" }).click();
    }
    await expect(page.getByText(text).first()).toBeVisible({ timeout: 10_000 });
  });

test("a wrong code, then the correct one", async ({ page, user }) => {
  await page.goto("/");
  await page.getByLabel("Phone").fill(user.phone);
  await page.getByRole("button", { name: "Send me a code" }).click();
  const { code } = await user.passcode();
  for (const [typed, text] of [
    [code === "000000" ? "000001" : "000000", WRONG],
    [code, IN],
  ]) {
    await page.getByLabel("Code").fill(typed);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByText(text)).toBeVisible();
  }
});
