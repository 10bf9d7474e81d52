/** What people send instead of a valid request: each row changes a valid one, and says what its advice must name. */

import type { Slip } from "./slip-parts.ts";
import { ADMIN_SLIPS, CODE_SLIPS, JSON_SLIPS, REQUEST_SLIPS } from "./slips-of-requests.ts";
import { APP_SLIPS, USER_SLIPS } from "./slips-of-users.ts";

/** All of them. */
export const SLIPS: readonly Slip[] = [
  ...APP_SLIPS,
  ...USER_SLIPS,
  ...CODE_SLIPS,
  ...JSON_SLIPS,
  ...REQUEST_SLIPS,
  ...ADMIN_SLIPS,
];
