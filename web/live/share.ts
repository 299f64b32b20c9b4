// Puts what the lab shows on the server as a session of its own.
import { useLocation } from "wouter";
import { sentence } from "../../shared/base/result.ts";
import { hereOf, say, setDialog, useLab } from "../state/store.ts";
import { createApi } from "./api.ts";

/** Shares the present recording; null on a page that is a session already. */
export function useShare(): (() => void) | null {
  const [path, navigate] = useLocation();
  if (path !== "/") return null;
  return () => void share(navigate);
}

async function share(navigate: (path: string) => void): Promise<void> {
  const chosen = useLab.getState();
  const { title } = hereOf(chosen).origin;
  const answer = await createApi(window).create(chosen.recording, title, chosen.moment);
  if (!answer.ok)
    return say("error", `It is not shared: ${answer.problems.map(sentence).join(" ") || answer.detail}`);
  navigate(`/session/${answer.value.id}`);
  setDialog("share");
}
