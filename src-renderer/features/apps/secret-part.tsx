import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { renewSecret } from "../../api/app-actions.ts";
import type { App } from "../../api/records.ts";
import { announce } from "../../ui/announcer.tsx";
import { complain } from "../../ui/complain.ts";
import { ConfirmButton, useArmed } from "../../ui/confirm-button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { DetailPart } from "../../ui/detail-panel.tsx";
import classes from "./secret-part.module.css";

const MASK = "••••••••••••";

/** The secret of an app: masked until it is asked for; a new one makes the old one worthless. */
export const SecretPart = ({ app }: { readonly app: App }) => {
  const [shown, setShown] = useState(false);
  const [armed, setArmed] = useArmed();
  const renew = useMutation({
    mutationFn: () => renewSecret(app.appId),
    onSuccess: () => announce("The app has a new secret"),
    onError: complain,
  });
  return (
    <DetailPart title="Secret, for the app’s backend">
      <p className={`mono ${classes.secret}`} data-testid="secret">
        {shown ? app.secret : MASK}
      </p>
      <div className={classes.buttons}>
        <Button onClick={() => setShown(!shown)} aria-pressed={shown}>
          {shown ? "Hide" : "Show"}
        </Button>
        <CopyButton text={app.secret} what="Secret" />
        <ConfirmButton
          label="Make a new one"
          question="The old one stops working. Go on?"
          loading={renew.isPending}
          armed={armed}
          onArm={setArmed}
          onConfirm={() => renew.mutate()}
        />
      </div>
    </DetailPart>
  );
};
