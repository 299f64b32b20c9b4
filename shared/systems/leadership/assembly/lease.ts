// The Lease in normal form. The times that are written into it are never computed with, only compared for equality with
// other times in Leases. Where requests take any time at all, two names do for them:
//
// - FRESH: a time in a request on its way that was stamped when it was sent. It differs from everything that is stored.
// - OLD: any other time. Two OLD times of acquisition count as equal. Whoever asks (the elector: "is this still my
//   acquisition?"; the lab: "is this a new acquisition?") asks about Leases with the same uid and holder and, the lab apart,
//   process; and of one process only the newest acquisition is ever held against what is stored, because an elector
//   keeps no older one and a write that was made from an older one fails by its resourceVersion.
//
// client-go compares times of renewal in whole seconds, and so they stay times where it takes part.
import { TERM_ANNOTATION, PROCESS_ANNOTATION } from "../../../protocol/lease/lease.ts";
import type { Lease, LeaseBody, LeaseSpec, MicroTime, StringMap } from "../../../protocol/lease/lease.ts";
import { WALL_START_MS } from "../clock.ts";
import { NEWEST_VERSION, type Form, type Renaming, type Rewrite } from "./form.ts";

const OLD: MicroTime = 1;
const FRESH: MicroTime = 2;

/** Where a Lease stands: stored or remembered, or in a request on its way. */
type Place = "kept" | "sent";

export function leasePart(form: Form, lease: Lease, rewrite: Rewrite): Lease {
  return {
    name: lease.name,
    uid: lease.uid,
    resourceVersion: versionPart(form, lease.resourceVersion, rewrite.renaming),
    annotations: sorted(lease.annotations),
    labels: lease.labels,
    spec: specPart(form, lease.spec, "kept", rewrite.zeroMs),
  };
}

export function bodyPart(form: Form, body: LeaseBody, rewrite: Rewrite): LeaseBody {
  return {
    name: body.name,
    ...(body.uid === undefined ? {} : { uid: body.uid }),
    ...(body.resourceVersion === undefined
      ? {}
      : { resourceVersion: versionPart(form, body.resourceVersion, rewrite.renaming) }),
    annotations: sorted(body.annotations),
    labels: body.labels,
    spec: specPart(form, body.spec, "sent", rewrite.zeroMs),
  };
}

/** The two annotations of the lab in a fixed order: texts that say the same must read the same. */
function sorted(annotations: StringMap): StringMap {
  const { [TERM_ANNOTATION]: term, [PROCESS_ANNOTATION]: process, ...others } = annotations;
  return {
    ...others,
    ...(term === undefined ? {} : { [TERM_ANNOTATION]: term }),
    ...(process === undefined ? {} : { [PROCESS_ANNOTATION]: process }),
  };
}

function versionPart(form: Form, version: string, renaming: Renaming | null): string {
  if (!form.renamesVersions || renaming === null || renaming.versions === 0) return version;
  return String(Math.max(1, Number(version) - renaming.versions));
}

/** How many versions the newest one has moved on in a world that a step has made. */
export const versionsAhead = (form: Form, revision: number): number =>
  form.renamesVersions ? revision - NEWEST_VERSION : 0;

function specPart(form: Form, spec: LeaseSpec, place: Place, zeroMs: number): LeaseSpec {
  const { acquireTime, renewTime } = spec;
  return {
    ...(spec.holderIdentity === undefined ? {} : { holderIdentity: spec.holderIdentity }),
    ...(spec.leaseDurationSeconds === undefined ? {} : { leaseDurationSeconds: spec.leaseDurationSeconds }),
    ...(acquireTime === undefined
      ? {}
      : { acquireTime: acquisitionTime(form, acquireTime, renewTime, place, zeroMs) }),
    ...(renewTime === undefined ? {} : { renewTime: renewalTime(form, renewTime, place, zeroMs) }),
    ...(spec.leaseTransitions === undefined ? {} : { leaseTransitions: spec.leaseTransitions }),
  };
}

/** A time of acquisition outside a Lease, as client-go's records keep it. */
export const keptAcquisition = (form: Form, time: MicroTime, zeroMs: number): MicroTime =>
  acquisitionTime(form, time, undefined, "kept", zeroMs);

export const keptRenewal = (form: Form, time: MicroTime, zeroMs: number): MicroTime =>
  renewalTime(form, time, "kept", zeroMs);

function acquisitionTime(
  form: Form,
  time: MicroTime,
  renewTime: MicroTime | undefined,
  place: Place,
  zeroMs: number,
): MicroTime {
  if (!form.namesAcquisitions) return time - zeroMs * 1000;
  // A request that acquires (or releases) carries one time twice.
  return place === "sent" && (time === FRESH || time === renewTime) ? FRESH : OLD;
}

function renewalTime(form: Form, time: MicroTime, place: Place, zeroMs: number): MicroTime {
  if (!form.namesRenewals) return time - zeroMs * 1000;
  return place === "sent" ? FRESH : OLD;
}

/** The moment that the times of a Lease may be told from, as a reading of a clock that runs true; null where they are names. */
export function momentOf(form: Form, spec: LeaseSpec): number | null {
  if (form.namesRenewals) return null;
  const time = spec.renewTime ?? (form.namesAcquisitions ? undefined : spec.acquireTime);
  return time === undefined ? null : time / 1000 - WALL_START_MS;
}
