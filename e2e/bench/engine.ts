// Figures of the engine: steps of a replay, and envelopes through the bridge beside a bare bounded async queue.
import {
  createBridge,
  forward,
  NO_PROPERTIES,
  offer,
  type Envelope,
} from "../../shared/protocol/master/bridge.ts";
import { resolveOrigin } from "../../shared/scenario/origin.ts";
import { perSecond, rounded } from "./measure.ts";

export function benchReplay() {
  const origin = resolveOrigin({ kind: "scenario", scenario: "paused-leader" });
  if (!origin.ok) throw new Error("the paused leader resolves");
  const { system, config, script } = origin.value;
  const stepsPerSecond = perSecond(1500, () => {
    let world = system.create(config);
    for (const action of script) world = system.step(world, action).world;
    return script.length;
  });
  return { scenario: "paused-leader", actions: script.length, stepsPerSecond };
}

/** A bounded queue as one writes it first: an array, and promises for whoever waits. */
class BareQueue<T> {
  private readonly items: T[] = [];
  private readonly takers: ((item: T) => void)[] = [];
  private readonly givers: (() => void)[] = [];
  private readonly capacity: number;
  constructor(capacity: number) {
    this.capacity = capacity;
  }
  async put(item: T): Promise<void> {
    const taker = this.takers.shift();
    if (taker !== undefined) return taker(item);
    if (this.items.length >= this.capacity) await new Promise<void>((go) => this.givers.push(go));
    this.items.push(item);
  }
  async take(): Promise<T> {
    const item = this.items.shift();
    if (item === undefined) return new Promise((go) => this.takers.push(go));
    this.givers.shift()?.();
    return item;
  }
}

export async function benchBridge() {
  const capacity = 128;
  const batch: readonly Envelope[] = Array.from({ length: capacity }, (_, index) => ({
    id: index,
    properties: NO_PROPERTIES,
  }));
  let forwarded = 0;
  const envelopesPerSecond = perSecond(1500, () => {
    const bridge = offer(createBridge(capacity, "7"), batch);
    forwarded += forward(bridge, capacity).exchanges.length;
    return batch.length;
  });
  const queue = new BareQueue<Envelope>(capacity);
  const total = 300_000;
  const bare = async (): Promise<number> => {
    const start = performance.now();
    const [first] = batch;
    if (first === undefined) return 0;
    const put = (async () => {
      for (let count = 0; count < total; count += 1) await queue.put(first);
    })();
    for (let count = 0; count < total; count += 1) await queue.take();
    await put;
    return (total * 1000) / (performance.now() - start);
  };
  await bare();
  const barePerSecond = Math.round(await bare());
  return {
    capacity,
    forwarded: forwarded > 0,
    envelopesPerSecond,
    bareAsyncQueuePerSecond: barePerSecond,
    ratio: rounded(envelopesPerSecond / barePerSecond),
  };
}
