/** The newest login above the newest code: a sign-up, or a refusal with what to do. */
import type { RequestRow } from "#client/index.ts";
import { isObject } from "#contract/service/wire-body.ts";
import { parsedJson } from "#contract/words/parsed-json.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import { requestPasscode } from "../../api/actions.ts";
import { CreateAppButton } from "../../shared/request/create-app.tsx";
import { refusalName } from "../../shared/request/query.ts";
import { ActionButton, TextButton } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { Strip } from "../../ui/strip.tsx";

const SignUp = ({ row }: { readonly row: RequestRow }) => {
  const who = row.login === null ? "A user" : recipientText(row.login.to);
  return (
    <>
      <strong>
        <bdi>{who}</bdi>
      </strong>{" "}
      is new and signed up at once. Ask again for a code.
    </>
  );
};

/** @returns what to do: the advice, else what the app was told. */
const toDo = ({ advice: [first], response }: RequestRow): string => {
  const body = parsedJson(response.body ?? "");
  return first?.text ?? (isObject(body) && typeof body["instruction"] === "string" ? body["instruction"] : "");
};

const Refusal = ({ row }: { readonly row: RequestRow }) => {
  return (
    <>
      <strong className="bad">
        {row.status} <bdi>{refusalName(row)}</bdi>
      </strong>
      {". "}
      <bdi>{toDo(row)}</bdi>
    </>
  );
};

/** @param row that ended it. */
export const NewestLogin = ({ row }: { readonly row: RequestRow }) => {
  const { hrefWith } = useAddress();
  const isSignUp = row.status < 400;
  const { appId, userId } = row;
  return (
    <Strip label="Newest login" words={isSignUp ? <SignUp row={row} /> : <Refusal row={row} />}>
      {isSignUp && appId !== null && userId !== null && (
        <ActionButton label="Send a code" act={() => requestPasscode(appId, userId)} />
      )}
      {!isSignUp && <CreateAppButton row={row} />}
      <TextButton href={hrefWith({ screen: "requests", id: row.id, show: null, q: "" })} label="Show request" />
    </Strip>
  );
};
