import { DetailPart } from "../../ui/detail-panel.tsx";

/** What to change after a refusal, the most telling first; nothing if there is nothing. */
export const HowToFix = ({ changes }: { readonly changes: readonly string[] }) =>
  changes.length > 0 && (
    <DetailPart title="How to fix">
      <ul className="bullets">
        {changes.map((change) => (
          <li key={change}>
            <bdi>{change}</bdi>
          </li>
        ))}
      </ul>
    </DetailPart>
  );
