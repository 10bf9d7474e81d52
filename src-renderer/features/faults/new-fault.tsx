import { Link } from "wouter";
import type { Fault } from "../../api/faults.ts";
import type { App } from "../../api/records.ts";
import { useAddress } from "../../ui/address.ts";
import { DetailPanel } from "../../ui/detail-panel.tsx";
import { keepDrafts } from "../../ui/unsaved.ts";
import { useDraft } from "../../ui/use-draft.ts";
import { type Draft, emptyDraft, sameDraft } from "./fault-draft.ts";
import { FaultForm } from "./fault-form.tsx";
import { PRESETS, type Preset, presetDraft } from "./fault-presets.ts";
import classes from "./faults.module.css";

const drafts = keepDrafts<Draft>();

interface NewFaultProps {
  /** What it begins with; undefined: with nothing. */
  readonly preset: Preset | undefined;
  /** The app that is looked at; null: all. */
  readonly appId: string | null;
  readonly apps: readonly App[];
  readonly nameOf: (appId: string) => string;
  readonly onSet: (fault: Fault) => void;
  readonly onClose: () => void;
}

const Begun = ({ preset, appId, onClose, ...rest }: NewFaultProps) => {
  const { go, hrefWith } = useAddress();
  const first = preset === undefined ? emptyDraft(appId) : presetDraft(preset, appId, "");
  const form = useDraft(drafts, `${appId ?? ""} ${preset?.id ?? ""}`, first, sameDraft);
  return (
    <DetailPanel wide label="New fault" onClose={() => form.leave(onClose)}>
      <h2 className={classes.heading}>New fault</h2>
      <nav className={classes.presets} aria-label="Presets">
        {PRESETS.map(({ id, title }) => (
          <Link
            key={id}
            className={classes.chip}
            href={hrefWith({ id: "new", show: id })}
            aria-current={preset?.id === id ? "true" : undefined}
            onClick={(event) => {
              event.preventDefault();
              if (id !== preset?.id) form.leave(() => go({ id: "new", show: id }));
            }}
          >
            {title}
          </Link>
        ))}
      </nav>
      {preset && <p className={classes.quiet}>{preset.words}</p>}
      <FaultForm {...rest} form={form} preset={preset} onClose={onClose} />
    </DetailPanel>
  );
};

/** Sets a fault, from a preset or from nothing. Asks before what was typed is thrown away, also for another preset. */
export const NewFault = (props: NewFaultProps) => <Begun key={props.preset?.id ?? ""} {...props} />;
