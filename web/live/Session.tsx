// A shared session: the lab with a line above it that says whose hands are on it.
import { useEffect, useMemo, useRef } from "react";
import { useLocation } from "wouter";
import { setDialog, useLab, say } from "../state/store.ts";
import { Button } from "../parts/Button.tsx";
import { Dialog } from "../parts/Dialog.tsx";
import { LabFrame } from "../lab/LabFrame.tsx";
import { createApi } from "./api.ts";
import { connect, useLive, type Connection, type Live, type Role } from "./session.ts";
import css from "./Session.module.css";

export function Session({ id, as: role }: { readonly id: string; readonly as: Role }) {
  const connection = useRef<Connection | null>(null);
  const live = useLive((state) => state.live);
  const dialog = useLab((chosen) => chosen.dialog);
  useEffect(() => {
    const made = connect(window, id, role);
    connection.current = made;
    return () => made.close();
  }, [id, role]);
  return (
    <>
      <LabFrame
        banner={live === null ? null : <Banner live={live} onAttach={() => connection.current?.attach()} />}
      />
      {dialog === "share" && <ShareDialog id={id} />}
    </>
  );
}

function Banner({ live, onAttach }: { readonly live: Live; readonly onAttach: () => void }) {
  const [, navigate] = useLocation();
  const { id, role, state, isAttached } = live;
  const words =
    state === "opening"
      ? "Opening the session …"
      : state === "gone"
        ? "This session has been deleted. What you see is your own copy."
        : state === "refused"
          ? "This session cannot be shown here. What you see is your own."
          : state === "interrupted"
            ? "The connection is interrupted; trying again. Nothing that you do is lost."
            : role === "editor"
              ? "Shared live: whoever follows sees what you do."
              : isAttached
                ? "Following live: this screen moves with the presenter’s."
                : "You went your own way: what you do stays on this screen.";
  const isOver = state === "gone" || state === "refused";
  return (
    <div className={css.banner} data-banner data-state={state} role="status">
      <span className={css.words}>{words}</span>
      {!isOver && role === "follower" && !isAttached && (
        <Button isSmall look="primary" onClick={onAttach}>
          Follow again
        </Button>
      )}
      {!isOver && role === "follower" && (
        <Button isSmall onClick={() => navigate(`/session/${id}`)}>
          Take part
        </Button>
      )}
      {!isOver && role === "editor" && (
        <>
          <Button isSmall onClick={() => setDialog("share")}>
            Links
          </Button>
          <Button isSmall onClick={() => void endSharing(id, navigate)}>
            Stop sharing
          </Button>
        </>
      )}
      <Button isSmall look="quiet" onClick={() => navigate("/")}>
        {isOver ? "To the lab" : "Leave with a copy"}
      </Button>
    </div>
  );
}

async function endSharing(id: string, navigate: (path: string) => void): Promise<void> {
  const answer = await createApi(window).remove(id);
  if (!answer.ok && answer.status !== 404) return say("error", answer.detail);
  navigate("/");
  say("info", "It is not shared any more. What you see is your own copy.");
}

function ShareDialog({ id }: { readonly id: string }) {
  const links = useMemo(
    () => [
      { name: "Follow", path: `/follow/${id}`, about: "Watches: the screen moves with yours." },
      { name: "Take part", path: `/session/${id}`, about: "Acts as well; everybody sees it." },
    ],
    [id],
  );
  return (
    <Dialog title="Shared live" onClose={() => setDialog(null)}>
      <p className={css.soft}>
        The session lives on this lab’s server, which only this machine reaches. Open a link in another window
        or browser here.
      </p>
      {links.map(({ name, path, about }) => (
        <div key={path} className={css.link}>
          <div>
            <a href={path} target="_blank" rel="noreferrer">
              {name}
            </a>{" "}
            <span className={css.soft}>{about}</span>
            <code className={css.url}>{`${window.location.origin}${path}`}</code>
          </div>
          <Button isSmall aria-label={`Copy the link: ${name}`} onClick={() => void copy(path)}>
            Copy
          </Button>
        </div>
      ))}
    </Dialog>
  );
}

async function copy(path: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(`${window.location.origin}${path}`);
    say("info", "Link copied.");
  } catch (error) {
    console.info("The clipboard is closed", error);
    say("error", "This browser does not let the lab use the clipboard. Select the link and copy it.");
  }
}
