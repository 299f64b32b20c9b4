// The views of all systems. A further system is one more line.
import type { SystemId } from "../../shared/systems/system.ts";
import { leadershipView } from "./leadership/view.ts";
import type { SystemView } from "./view.ts";

const views: Readonly<Record<SystemId, SystemView>> = { leadership: leadershipView };

export const viewOf = (system: SystemId): SystemView => views[system];
