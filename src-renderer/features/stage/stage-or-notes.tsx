import { lazy } from "react";
import { useAddress } from "../../ui/address.ts";
import { STAGE_NOTES } from "./notes-address.ts";

const StagePage = lazy(async () => ({ default: (await import("./stage-page.tsx")).StagePage }));

const NotesPage = lazy(async () => ({ default: (await import("./notes-page.tsx")).NotesPage }));

/** `/stage`, or the presenter's notes: `/stage/notes`. */
export const StageOrNotes = () => (useAddress().address.id === STAGE_NOTES ? <NotesPage /> : <StagePage />);
