import { Button } from "@mantine/core";
import { Link } from "wouter";
import { Screen } from "../ui/screen.tsx";
import { Empty } from "../ui/states.tsx";

/** The address names no screen. */
export const NoSuchScreen = () => (
  <Screen title="Not found">
    <Empty title="There is no such page">
      <p>The address may be of a newer version, or mistyped.</p>
      <Button component={Link} href="/inbox">
        Go to the inbox
      </Button>
    </Empty>
  </Screen>
);
