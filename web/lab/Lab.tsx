// The lab's page at its own address: the URL and the store are kept alike while it is open.
import { useEffect } from "react";
import { keepUrl } from "../state/permalink.ts";
import { LabFrame } from "./LabFrame.tsx";

export function Lab() {
  useEffect(() => keepUrl(window), []);
  return <LabFrame banner={null} />;
}
