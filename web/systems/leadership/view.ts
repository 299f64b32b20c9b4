// The leadership system on the screen.
import type { Event } from "../../../shared/systems/event.ts";
import type { LeadershipWorld } from "../../../shared/systems/leadership/world.ts";
import type { Mark, SystemView } from "../view.ts";
import { leadershipFaults } from "./faults.ts";
import { leadershipFigures } from "./figures.ts";
import { LeadershipState } from "./LeadershipState.tsx";

export const leadershipView: SystemView = {
  id: "leadership",
  register: "Lease: in memory",
  mark: markOf,
  isMinor,
  epochOf,
  faults: (world) => leadershipFaults(world as LeadershipWorld),
  figures: leadershipFigures,
  State: LeadershipState,
};

function markOf(event: Event): Mark | null {
  switch (event.kind) {
    case "started-leading":
    case "stopped-leading":
    case "judged-expired":
    case "released":
      return "election";
    case "paused":
    case "resumed":
    case "crashed":
    case "asked-to-stop":
    case "link-cut":
    case "link-healed":
    case "delay-set":
    case "message-delayed":
    case "message-doomed":
    case "message-duplicated":
    case "message-lost":
    case "clock-rate-set":
    case "wall-clock-stepped":
    case "lease-deleted":
    case "lease-edited":
    case "sink-restarted":
      return "fault";
    default:
      return null;
  }
}

function isMinor(event: Event): boolean {
  switch (event.kind) {
    case "request-sent":
    case "answer-received":
    case "new-leader":
    case "write-answered":
    case "answer-ignored":
    case "renewed":
      return true;
    case "request-served":
      return event.acquisition === null && event.code < 300;
    default:
      return false;
  }
}

function epochOf(event: Event): number {
  if (!("acquisition" in event)) return 0;
  return event.acquisition ?? 0;
}
