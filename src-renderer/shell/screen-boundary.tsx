import { Button } from "@mantine/core";
import { Component, type ReactNode } from "react";
import { wordsOf } from "../api/request-failed.ts";
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
      <Screen title="Not shown">
        <Empty title="This screen could not be shown">
          <p>The page may be of an older version than the server. Reloading brings it up to date.</p>
          <p className="mono">{wordsOf(this.state.error)}</p>
          <Button variant="filled" onClick={() => window.location.reload()}>
            Reload the page
          </Button>
        </Empty>
      </Screen>
    );
  }
}
