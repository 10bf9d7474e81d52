/** The id of the presenter's notes: `/stage/notes`. */
export const STAGE_NOTES = "notes";
