/** Apps with a lease: how long each stays, and who created it. */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { App } from "#client/index.ts";
import { lengthWords } from "#contract/words/words.ts";
import { appsQuery } from "../../api/queries.ts";
import { useRealNow } from "../../ui/parts.tsx";
import { DetailPart } from "../../ui/screen.tsx";
import { leftWords } from "../../ui/words.ts";

type Lease = NonNullable<App["lease"]>;

/** Requests renew leases without an event, so they are read again this often; looking at an app does not renew its lease. */
const AGAIN_MS = 3_000;

/** Keeps the leases on the screen current, while there are any. */
export const LeaseWatch = ({ apps }: { readonly apps: readonly App[] }) => {
  useQuery({ ...appsQuery(), refetchInterval: apps.some(({ lease }) => lease !== undefined) && AGAIN_MS });
  return null;
};

const useLeft = ({ expiresAt, ttlSeconds }: Lease): string =>
  leftWords(Math.min(ttlSeconds * 1_000, Math.max(0, Date.parse(expiresAt) - useRealNow())));

const LeaseWords = ({ lease }: { readonly lease: Lease }) => (
  <>
    {lease.joined === true ? "bound token" : "leased"}
    {lease.creator !== undefined && `, from ${lease.creator}`}, {useLeft(lease)} left
  </>
);

/** The lease in a row; undefined if the app has none. */
export const leaseWords = ({ lease }: App): ReactNode => lease && <LeaseWords lease={lease} />;

/** The lease in the detail of an app. */
export const LeasePart = ({ app: { lease } }: { readonly app: App }) =>
  lease && (
    <DetailPart title="Lease">
      <p>
        <LeaseWords lease={lease} />
      </p>
      <p className="small">
        Every request that names the app renews the lease for {lengthWords(lease.ttlSeconds)}. When it ends, the app and
        its data is deleted. Opening it here does not extend it.
      </p>
    </DetailPart>
  );
