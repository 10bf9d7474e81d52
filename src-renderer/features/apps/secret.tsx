import { Button, Group } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { CopyButton } from "../../ui/copy.tsx";

const MASK = "••••••••••••";

interface SecretProps {
  readonly secret: string;
  /** Further buttons. */
  readonly children?: ReactNode;
}

/** The secret of an app, masked until it is asked for. */
export const Secret = ({ secret, children }: SecretProps) => {
  const [shown, setShown] = useState(false);
  return (
    <Group justify="space-between">
      <span className="mono" data-testid="secret">
        {shown ? secret : MASK}
      </span>
      <Group>
        <Button onClick={() => setShown(!shown)} aria-pressed={shown}>
          {shown ? "Hide" : "Show"}
        </Button>
        <CopyButton text={secret} what="Secret" />
        {children}
      </Group>
    </Group>
  );
};
