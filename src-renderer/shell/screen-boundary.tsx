import { Button } from "@mantine/core";
import { Component, type ReactNode } from "react";
import { explain } from "../api/emulator.ts";
import { Screen } from "../ui/screen.tsx";
import { Empty } from "../ui/states.tsx";

interface Props {
  readonly children: ReactNode;
}

/** Keeps the bands when a screen cannot be shown: its script is of a version that is no longer served, or it failed. */
export class ScreenBoundary extends Component<Props, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: null };

  /** React's way of telling. */
  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    return (
      <Screen title="Error">
        <Empty title="This screen failed to load">
          <p>The page may be older than the server. Reload to update it.</p>
          <p className="mono">{explain(this.state.error)}</p>
          <Button variant="filled" onClick={() => window.location.reload()}>
            Reload
          </Button>
        </Empty>
      </Screen>
    );
  }
}
