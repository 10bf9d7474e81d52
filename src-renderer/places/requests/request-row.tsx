import { useQuery } from "@tanstack/react-query";
import type { RequestRow } from "#client/index.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import { many, sentence } from "#contract/words/words.ts";
import { emulator } from "../../api/emulator.ts";
import { profileQuery } from "../../api/queries.ts";
import { useFailActions } from "../../shared/fault/fail-next.tsx";
import { FaultLink } from "../../shared/fault/fault-link.tsx";
import { downloadLogin } from "../../shared/login/download-login.ts";
import type { Folded } from "../../shared/login/stories.ts";
import { withoutIds } from "../../shared/request/prose.tsx";
import { durationWords, outcomeWords } from "../../shared/request/query.ts";
import { refusalName } from "../../shared/request/row-words.ts";
import { announce } from "../../ui/action.tsx";
import { Row, RowLink, type RowPlace } from "../../ui/list-screen.tsx";
import { ClockTime, StatusMark } from "../../ui/parts.tsx";
import { type RowAction, RowActions } from "../../ui/row-actions.tsx";
import { statusTone } from "../../ui/tones.ts";

/** @returns whose request it is: the name, else the phone or email as it was sent; empty: no one's. */
const useWho = ({ appId, userId, login }: RequestRow): string => {
  const { data: profile } = useQuery({
    ...profileQuery(appId, userId ?? ""),
    enabled: appId !== null && userId !== null,
  });
  return profile?.name?.trim() || (userId === null ? (login?.to ?? "") : recipientText(login?.to ?? ""));
};

/** What is odd about a request, next to how it ended. */
const marksOf = (row: RequestRow): string =>
  [
    row.carriedOut && `carried out: ${row.carriedOut.status}`,
    row.ignoredFields.length > 0 && `ignored: ${row.ignoredFields.join(", ")}`,
    row.warnings.length > 0 && many(row.warnings.length, "warning"),
  ]
    .filter(Boolean)
    .join(", ");

interface RequestLineProps extends RowPlace {
  readonly folded: Folded;
  /** Shows a request in the detail. */
  readonly onOpen: (id: string) => void;
}

/** A row of the log, with its retries collapsed: status, call, whose, why. The whole row links to the detail. */
export const RequestLine = ({ folded, onOpen, ...place }: RequestLineProps) => {
  const { newest: row, rows } = folded;
  const who = useWho(row);
  const fail = useFailActions(row);
  const tone = row.fault === null ? statusTone(row.status) : "warn";
  const outcome = withoutIds(outcomeWords(row));
  const call = `${row.method} ${row.path}`;
  const marks = marksOf(row);
  const resend: RowAction = {
    label: "Resend",
    name: `Resend ${call}`,
    act: async () => {
      const { requestId } = await emulator.requests.replay(row.id);
      announce("Request sent again");
      if (requestId !== null) onOpen(requestId);
    },
  };
  const more = (): readonly RowAction[] => [
    ...fail,
    { label: "Download login", name: `Download login of ${call}`, act: () => downloadLogin(row) },
  ];
  return (
    <Row
      actions={<RowActions first={[resend]} menu={`More for ${call}`} more={more} tabIndex={place.focus.tabIndex} />}
    >
      <StatusMark tone={tone}>{row.status === 0 ? (row.carriedOut ? "lost" : "none") : row.status}</StatusMark>
      <span className="cut mono small">
        {row.method}{" "}
        <RowLink {...place} title={row.path}>
          {row.path}
        </RowLink>
      </span>
      <span className="cut dim" data-wide style={{ whiteSpace: "pre" }}>
        <bdi>{who}</bdi>
      </span>
      <span className="cut" title={outcome}>
        {rows.length > 1 && <strong className="warn">×{rows.length} </strong>}
        {row.fault !== null && <FaultLink plain id={row.fault} />}
        {row.fault === null && row.status >= 400 && <span className="bad">{sentence(refusalName(row))} </span>}
        {row.fault === null && <bdi className={row.status === 0 ? "bad" : "dim"}>{outcome}</bdi>}
        {marks !== "" && <bdi className="warn"> {marks}</bdi>}
      </span>
      <span className="small" data-wide data-end>
        {durationWords(row.durationMs)}
      </span>
      <span data-middle data-end>
        <ClockTime at={row.at} />
      </span>
    </Row>
  );
};
