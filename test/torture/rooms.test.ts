/** The scenarios that need no build. */
import { SHORT } from "./scenarios.ts";
import { testSmall } from "./small.ts";

testSmall(SHORT);
