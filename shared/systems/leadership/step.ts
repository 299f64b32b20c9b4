// One action, one step. Routes only: each case is one call into the part that owns the rule.
import { present } from "../../base/assert.ts";
import type { Step } from "../system.ts";
import type { LeadershipAction } from "./action.ts";
import { act, deliver, foreignWrite } from "./deliver.ts";
import { startDraft } from "./draft.ts";
import { fireNodeTimer } from "./drive.ts";
import { interfere } from "./faults.ts";
import { nodeIndex, sinkIndex, type LeadershipWorld } from "./world.ts";

export function stepLeadership(world: LeadershipWorld, action: LeadershipAction): Step<LeadershipWorld> {
  const draft = startDraft(world);
  switch (action.kind) {
    case "advance":
      draft.world.now = action.toMs;
      break;
    case "deliver":
      deliver(
        draft,
        present(
          world.messages.find((message) => message.id === action.message),
          "a delivered message is under way",
        ),
        action.served ?? null,
      );
      break;
    case "foreign-write":
      foreignWrite(draft, action.lease, action.whose ?? "other");
      break;
    case "fire": {
      const node = nodeIndex(world, action.lane);
      if (node >= 0) fireNodeTimer(draft, node, action.timer);
      else act(draft, sinkIndex(world, action.lane), action.timer);
      break;
    }
    default:
      interfere(draft, action);
  }
  return { world: draft.world, events: draft.events };
}
