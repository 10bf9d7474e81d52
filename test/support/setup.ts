/** vitest runs this before each test file. */
import { registerCleanup } from "./cleanup.ts";

registerCleanup();
