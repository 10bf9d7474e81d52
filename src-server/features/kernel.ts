/** What features get of the server, and what they give it. */
import type { LookupAddress } from "node:dns";
import type { RequestItem } from "#contract/control/requests.ts";
import type { Listener } from "#contract/control/routes.ts";
import type { TimelineItem } from "#contract/control/timeline.ts";
import type { Explored } from "#contract/documents/explorations.ts";
import type { Clients } from "#http/clients.ts";
import type { Base, Deps } from "#http/deps.ts";
import type { Handler, OperationsOf } from "#http/handler.ts";
import type { Programs } from "#http/ports.ts";
import type { Delivery } from "./devices/delivery/delivery.ts";
import type { Faults } from "./failures/faults/faults.ts";
import type { FeatureName, FeatureOperationId, OperationsOfFeature } from "./parts.ts";

/** What another Stagedoor has seen of a login. */
export interface SeenElsewhere {
  readonly requests: readonly RequestItem[];
  /** As it listed them. */
  readonly faults: readonly object[];
  /** It cannot be rewound. */
  readonly timeline?: readonly TimelineItem[] | undefined;
  /** Of another program. */
  readonly exploration?: Explored;
}

/** What the program was started with, as far as features ask. */
interface Started {
  /** The address on which the console is open to other machines; null if it is not. */
  readonly consoleHost: string | null;
  readonly machine: string;
  /** The hosts that may be called although they are not local or private. */
  readonly checkHosts: readonly string[];
  /** Runs other programs, instead of the machine's own way. */
  readonly programs: Programs | undefined;
  /** What to show instead of its own. */
  readonly seen: SeenElsewhere | undefined;
  /** Looks a name up, instead of the machine's own way. */
  readonly lookup: ((name: string) => Promise<readonly LookupAddress[]>) | undefined;
}

/** What features begin with. */
export interface Given extends Base {
  readonly clients: Clients;
  /** Their end: that of the server. */
  readonly signal: AbortSignal;
  readonly started: Started;
}

/** What the handlers of features get. */
export interface Kernel extends Given, Deps {
  readonly faults: Faults;
  readonly delivery: Delivery;
}

type FeatureHandlers<N extends FeatureName> = {
  readonly [K in OperationsOfFeature<N> & FeatureOperationId]: Handler<K>;
};

/** The start of a feature on the server. */
export type Setup<N extends FeatureName> = (kernel: Kernel) => FeatureHandlers<N>;

/** The handlers that features have of a listener. */
export type FeatureHandlersOf<L extends Listener> = {
  readonly [K in FeatureOperationId & OperationsOf<L>]: Handler<K>;
};
