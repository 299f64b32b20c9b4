// The picture of each system.
import type { SystemId } from "../../../shared/systems/system.ts";
import { leadershipPicture } from "./leadership.ts";
import type { Picture } from "./picture.ts";

const PICTURES: Readonly<Record<SystemId, Picture>> = { leadership: leadershipPicture };

export const pictureOf = (system: SystemId): Picture => PICTURES[system];
