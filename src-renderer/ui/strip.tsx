import { Box, Group } from "@mantine/core";
import type { ReactNode } from "react";

interface StripProps {
  readonly label: string;
  readonly words: ReactNode;
  readonly children: ReactNode;
}

/** A band above a list: what happened or is selected, and actions for it. */
export const Strip = ({ label, words, children }: StripProps) => (
  <Group component="section" className="band" bg="var(--sd-panel)" mih={48} aria-label={label}>
    <Box component="p" flex="1 1 320px" className="dim">
      {words}
    </Box>
    {children}
  </Group>
);
