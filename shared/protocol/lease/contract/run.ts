// Plays a row of the contract against a register and says in which ways it differs.
import {
  leaseText,
  type ContractRow,
  type Expectation,
  type Fate,
  type Race,
  type RegisterAnswer,
  type RegisterUnderTest,
  type Seen,
  type Step,
} from "./row.ts";
import type { LeaseManifest } from "../manifest.ts";

/**
 * Plays the row and returns one sentence for each difference; none means that the register keeps the contract.
 * The Lease of that name is deleted before and afterwards.
 * @param name a Lease name that nothing else uses; a row that needs a name of its own brings it.
 */
export async function playRow(
  register: RegisterUnderTest,
  row: ContractRow,
  name: string,
): Promise<readonly string[]> {
  const own = row.name ?? name;
  const differences: string[] = [];
  await register.send({ method: "DELETE", name: own });
  if (row.given !== undefined) {
    const seen: Seen = { name: own, first: null, now: null };
    const created = await register.send({ method: "POST", body: leaseText(seen, row.given) });
    if (created.code !== 201)
      differences.push(`given: expected the Lease to be created, got ${shown(created)}`);
  }
  const first = await stored(register, own);
  let now = first;
  for (const [index, step] of row.steps.entries()) {
    const seen: Seen = { name: own, first, now };
    const found =
      "race" in step ? await playRace(register, step, seen) : await playStep(register, step, seen);
    now = found.after;
    differences.push(...found.differences.map((text) => `step ${index + 1}: ${text}`));
  }
  await register.send({ method: "DELETE", name: own });
  return differences;
}

interface Played {
  readonly after: LeaseManifest | null;
  readonly differences: readonly string[];
}

async function playStep(register: RegisterUnderTest, step: Step, seen: Seen): Promise<Played> {
  const answer = await register.send(step.send(seen));
  const after = await stored(register, seen.name);
  return {
    after,
    differences: [
      ...compareAnswer(answer, step.expect),
      ...compareFate(seen.now, after, step.expect.fate, answer),
      ...compareStored(after, step.expect),
    ],
  };
}

async function playRace(register: RegisterUnderTest, step: Race, seen: Seen): Promise<Played> {
  const answers = await Promise.all(
    Array.from({ length: step.clients }, (_, client) => register.send(step.race(seen, client))),
  );
  const after = await stored(register, seen.name);
  const tally: Record<number, number> = {};
  for (const { code } of answers) tally[code] = (tally[code] ?? 0) + 1;
  return {
    after,
    differences: [
      ...differ("answers of each code", step.tally, tally),
      ...compareFate(seen.now, after, step.fate, { code: 0, body: tally, warning: null }),
    ],
  };
}

/** What is stored under the name, without what only a server with users and a clock can know. */
async function stored(register: RegisterUnderTest, name: string): Promise<LeaseManifest | null> {
  const { code, body } = await register.send({ method: "GET", name });
  return code === 200 ? withoutManagedFields(body as LeaseManifest) : null;
}

function withoutManagedFields(lease: LeaseManifest): LeaseManifest {
  const metadata = Object.fromEntries(
    Object.entries(lease.metadata).filter(([key]) => key !== "managedFields"),
  );
  return { ...lease, metadata: metadata as LeaseManifest["metadata"] };
}

function compareAnswer(answer: RegisterAnswer, expect: Expectation): readonly string[] {
  const {
    reason = null,
    message = "",
    spec,
  } = answer.body as {
    readonly reason?: string;
    readonly message?: string;
    readonly spec?: object;
  };
  const differences: string[] = [];
  if (answer.code !== expect.code) differences.push(`expected code ${expect.code}, got ${shown(answer)}`);
  if (expect.reason !== undefined && reason !== expect.reason)
    differences.push(`expected reason ${expect.reason}, got ${reason}: ${message}`);
  if (expect.message !== undefined && !message.includes(expect.message))
    differences.push(`expected a message with ${expect.message}, got ${message}`);
  if (
    expect.warning === undefined ? answer.warning !== null : answer.warning?.includes(expect.warning) !== true
  )
    differences.push(`expected ${expect.warning ?? "no warning"}, got warning ${answer.warning}`);
  if (expect.answered !== undefined) differences.push(...differ("spec answered", expect.answered, spec));
  return differences;
}

function compareStored(after: LeaseManifest | null, expect: Expectation): readonly string[] {
  return [
    ...(expect.spec === undefined ? [] : differ("spec stored", expect.spec, after?.spec)),
    ...(expect.annotations === undefined
      ? []
      : differ("annotations stored", expect.annotations, after?.metadata.annotations ?? {})),
  ];
}

function compareFate(
  before: LeaseManifest | null,
  after: LeaseManifest | null,
  expected: Fate,
  answer: RegisterAnswer,
): readonly string[] {
  const fate = fateOf(before, after);
  return fate === expected
    ? []
    : [`expected the stored Lease ${expected}, got ${fate}, after ${shown(answer)}`];
}

function fateOf(before: LeaseManifest | null, after: LeaseManifest | null): string {
  if (before === null || after === null) {
    if (after !== null) return "appeared";
    return before === null ? "absent" : "gone";
  }
  if (canonical(before) === canonical(after)) return "still";
  if (before.metadata.uid !== after.metadata.uid) return "replaced by one with another uid";
  const [from, to] = [before.metadata.resourceVersion ?? "", after.metadata.resourceVersion ?? ""];
  if (from === to) return "changed under the same resourceVersion";
  return BigInt(to) > BigInt(from) ? "moved" : `moved back, from ${from} to ${to}`;
}

const differ = (what: string, expected: unknown, got: unknown): readonly string[] =>
  canonical(expected) === canonical(got)
    ? []
    : [`expected ${what} ${canonical(expected)}, got ${canonical(got)}`];

/** JSON with sorted keys. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, item: unknown) =>
      typeof item === "object" && item !== null && !Array.isArray(item)
        ? Object.fromEntries(Object.entries(item).toSorted(([left], [right]) => (left < right ? -1 : 1)))
        : item,
    ) ?? "nothing"
  );
}

const shown = ({ code, body }: RegisterAnswer): string => `${code} ${JSON.stringify(body).slice(0, 400)}`;
