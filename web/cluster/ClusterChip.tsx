// Where the Lease lives, in the header: in memory, or on which cluster. It opens the dialog about it.
import { useEffect } from "react";
import { Button } from "../parts/Button.tsx";
import { useLab } from "../state/store.ts";
import { useCluster } from "./store.ts";

/** What the chip says; also for a menu, where there is no room for it. */
export function useRegisterLabel(inMemory: string): string {
  const run = useCluster((state) => state.run);
  const leftovers = useCluster((state) => state.leftovers.length);
  const branch = useLab((chosen) => chosen.moment.branch);
  useEffect(() => {
    void import("./run.ts").then(({ askCluster }) => askCluster(window));
  }, []);
  if (run !== null && run.branch === branch)
    return `Lease: ${run.identity.context} / ${run.identity.namespace}`;
  return leftovers > 0 ? `${inMemory} · ${leftovers} left over` : inMemory;
}

export function openCluster(): void {
  useCluster.setState({ isOpen: true, problem: null });
}

export function ClusterChip({ inMemory }: { readonly inMemory: string }) {
  const label = useRegisterLabel(inMemory);
  return (
    <Button onClick={openCluster} title="Where the Lease lives: in memory, or on a real API server">
      {label}
    </Button>
  );
}
