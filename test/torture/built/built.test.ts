/** The scenarios that run the built server. */
import { SHORT_BUILT } from "../scenarios.ts";
import { testSmall } from "../small.ts";

testSmall(SHORT_BUILT);
