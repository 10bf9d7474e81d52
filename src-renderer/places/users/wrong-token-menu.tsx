import { Menu } from "@mantine/core";
import type { Session } from "#client/index.ts";
import { canHave, DEFECT_NAMES, DEFECTS, type Defect } from "#contract/service/token-defects.ts";
import { emulator } from "../../api/emulator.ts";
import { useApps } from "../../api/queries.ts";
import { TextButton } from "../../ui/action.tsx";
import { copyText } from "../../ui/code.tsx";

const wrongToken = async (id: string, defect: Defect): Promise<string> =>
  (await emulator.sessions.wrongToken(id, { defect })).token;

/** Copies a defective token of the session. */
export const WrongTokenMenu = ({ session: { appId, id } }: { readonly session: Session }) => {
  const algorithm = useApps().appOf(appId)?.settings.token?.algorithm ?? "ES256";
  const defects = DEFECT_NAMES.filter((defect) => canHave(algorithm, defect));
  return (
    <Menu position="bottom-start" width={360}>
      <Menu.Target>
        <TextButton label="Copy an invalid token…" />
      </Menu.Target>
      <Menu.Dropdown mah="min(480px, 60vh)" style={{ overflowY: "auto" }}>
        {defects.map((defect) => (
          <Menu.Item key={defect} onClick={() => copyText(wrongToken(id, defect), `Invalid token (${defect})`)}>
            <span className="mono">{defect}</span>
            <br />
            <span className="dim small">{DEFECTS[defect].why}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};
