// What the lab has to say: a short notice, or why something was not opened and what of it can be.
import { sentence } from "../../shared/base/result.ts";
import { dismiss, show, useLab, type Refusal } from "../state/store.ts";
import { MAIN_BRANCH } from "../../shared/trace/recording.ts";
import { Button } from "../parts/Button.tsx";
import { Dialog } from "../parts/Dialog.tsx";
import css from "./Notices.module.css";

export function Notices() {
  const notice = useLab((chosen) => chosen.notice);
  const refusal = useLab((chosen) => chosen.refusal);
  return (
    <>
      <div className={css.place} aria-live={notice?.kind === "error" ? "assertive" : "polite"}>
        {notice !== null && (
          <div className={css.notice} data-kind={notice.kind}>
            <span>{notice.text}</span>
            <Button look="quiet" isSmall onClick={dismiss} aria-label="Dismiss">
              ✕
            </Button>
          </div>
        )}
      </div>
      {refusal !== null && <Refused refusal={refusal} />}
    </>
  );
}

function Refused({ refusal }: { readonly refusal: Refusal }) {
  const { what, problems, replay, salvage } = refusal;
  return (
    <Dialog title={`${what} was not opened`} onClose={dismiss}>
      {problems.length > 0 && (
        <ul className={css.problems}>
          {problems.map((problem) => (
            <li key={`${problem.path} ${problem.expected}`}>{sentence(problem)}</li>
          ))}
        </ul>
      )}
      {replay !== null && (
        <>
          <p>
            Action {replay.index + 1} of “{replay.branch}” cannot happen there: {replay.reason}
          </p>
          <pre className={css.action}>{JSON.stringify(replay.action)}</pre>
        </>
      )}
      <p className={css.soft}>The lab is as it was before.</p>
      <div className={css.buttons}>
        <Button look="primary" onClick={dismiss}>
          Go on with the lab
        </Button>
        {salvage !== null && (
          <Button onClick={() => show(salvage, { branch: MAIN_BRANCH, cursor: 0 })}>
            Open what can be replayed
          </Button>
        )}
      </div>
    </Dialog>
  );
}
