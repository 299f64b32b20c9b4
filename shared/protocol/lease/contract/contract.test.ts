import { describe, expect, it } from "vitest";
import { CONTRACT, rowsFor } from "./contract.ts";
import { createMemoryRegister } from "./memory.ts";
import { playRow } from "./run.ts";
import type { RegisterRequest, RegisterUnderTest } from "./row.ts";

describe("the in-memory register keeps the contract", () => {
  const register = createMemoryRegister();
  for (const [index, row] of rowsFor("memory").entries())
    it(row.why, async () => expect(await playRow(register, row, `contract-${index}`)).toEqual([]));
});

describe("the table", () => {
  it("names every row once", () => {
    const names = CONTRACT.map((row) => row.why);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it("says for each row that only one register can show why it is so, and has few of them", () => {
    const count = (register: "memory" | "server"): number =>
      CONTRACT.filter((row) => row.only?.register === register).length;
    expect({ memory: count("memory"), server: count("server") }).toEqual({ memory: 3, server: 9 });
  });
});

/** A register with one fault, and the row that must notice it. */
interface Fault {
  readonly why: string;
  readonly noticedBy: string;
  readonly difference: string;
  readonly spoil: (register: RegisterUnderTest) => RegisterUnderTest["send"];
}

/** Sends each request twice where the fault says so, or another one in its place. */
const FAULTS: readonly Fault[] = [
  {
    why: "an unconditional PUT",
    noticedBy: "there is no unconditional PUT: without a resourceVersion it is invalid",
    difference: "expected code 422, got 200",
    spoil: (register) => async (request) => {
      if (request.method !== "PUT") return register.send(request);
      const now = await register.send({ method: "GET", name: request.name ?? "" });
      const body = JSON.parse(request.body ?? "") as { metadata: object };
      const { resourceVersion } = (now.body as { metadata: { resourceVersion: string } }).metadata;
      return register.send({
        ...request,
        body: JSON.stringify({
          ...body,
          metadata: { ...body.metadata, resourceVersion },
          spec: { holderIdentity: "overwritten" },
        }),
      });
    },
  },
  {
    why: "a PUT of what is stored that moves the version",
    noticedBy: "PUT of what is stored writes nothing: the resourceVersion stands still",
    difference: "expected the stored Lease still, got moved",
    spoil: (register) => async (request) => {
      const answer = await register.send(request);
      if (request.method === "PUT") await touch(register, request);
      return answer;
    },
  },
  {
    why: "two winners of a race",
    noticedBy: "of 20 concurrent POSTs of one name, one wins",
    difference: 'expected answers of each code {"201":1,"409":19}, got {"201":20}',
    spoil: (register) => async (request) => {
      const answer = await register.send(request);
      return request.method === "POST" ? { ...answer, code: 201 } : answer;
    },
  },
  {
    why: "a lost warning",
    noticedBy: "an unknown field is dropped with a warning",
    difference: "got warning null",
    spoil: (register) => async (request) => ({ ...(await register.send(request)), warning: null }),
  },
];

const touch = (register: RegisterUnderTest, { name = "" }: RegisterRequest) =>
  register.send({
    method: "PATCH",
    name,
    contentType: "application/merge-patch+json",
    body: '{"metadata":{"annotations":{"touched":"1"}}}',
  });

describe("a register that breaks the contract is noticed", () => {
  for (const fault of FAULTS)
    it(fault.why, async () => {
      const row = CONTRACT.find((candidate) => candidate.why === fault.noticedBy);
      expect(row).toBeDefined();
      if (row === undefined) return;
      const spoilt = { send: fault.spoil(createMemoryRegister()) };
      expect((await playRow(spoilt, row, "contract")).join("\n")).toContain(fault.difference);
    });
});
