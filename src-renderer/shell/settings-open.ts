import { create } from "zustand";

/** Whether the settings at the foot of the rail are open: Find and `?` open them, too. */
export const useSettingsOpen = create(() => ({ isOpen: false }));
