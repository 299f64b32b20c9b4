// The branches of a recording: all visible, one looked at; rename, compare, delete.
import { useRef, useState } from "react";
import { BRANCH_NAME_MAX } from "../../shared/trace/change.ts";
import { MAIN_BRANCH, type Branch } from "../../shared/trace/recording.ts";
import { lineRun } from "../state/derive.ts";
import { chooseBranch, compareWith, deleteBranch, renameBranch, undo, useLab } from "../state/store.ts";
import { Button, CommandButton } from "../parts/Button.tsx";
import { Menu } from "../parts/Menu.tsx";
import { clockText, type Seen } from "./useHere.ts";
import css from "./Branches.module.css";

export function Branches({ here }: { readonly here: Seen }) {
  const { recording, moment } = here;
  const [renaming, setRenaming] = useState<string | null>(null);
  const renamed = useRef<string | null>(null);
  const canUndo = useLab((chosen) => chosen.undoable.length > 0);
  const current = recording.branches.find(({ id }) => id === moment.branch);
  return (
    <div className={css.row}>
      <div className={css.branches} role="group" aria-label="Branches">
        {recording.branches.map((branch) =>
          renaming === branch.id ? (
            <Rename
              key={branch.id}
              branch={branch}
              onDone={() => {
                renamed.current = branch.id;
                setRenaming(null);
              }}
            />
          ) : (
            <button
              key={branch.id}
              type="button"
              className={css.branch}
              aria-pressed={branch.id === moment.branch}
              onClick={() => chooseBranch(branch.id)}
              onDoubleClick={() => setRenaming(branch.id)}
              title={branch.name}
              // The keyboard goes on where the name was edited.
              ref={(button) => {
                if (button === null || renamed.current !== branch.id) return;
                renamed.current = null;
                button.focus();
              }}
            >
              <span className={css.name}>{branch.name}</span>
              {branch.parent !== null && <span className={css.fork}> from {forkText(here, branch)} s</span>}
            </button>
          ),
        )}
      </div>
      {current !== undefined && (
        <Menu
          label={`Branch “${current.name}”`}
          isSmall
          isAbove
          groups={[
            {
              title: null,
              items: [{ id: "rename", label: "Rename", onChoose: () => setRenaming(current.id) }],
            },
            ...(recording.branches.length > 1
              ? [
                  {
                    title: "Compare with",
                    items: recording.branches
                      .filter(({ id }) => id !== current.id)
                      .map(({ id, name }) => ({
                        id: `with-${id}`,
                        label: name,
                        onChoose: () => compareWith(id),
                      })),
                  },
                ]
              : []),
            ...(current.id === MAIN_BRANCH
              ? []
              : [
                  {
                    title: null,
                    items: [{ id: "delete", label: "Delete", onChoose: () => void deleteBranch(current.id) }],
                  },
                ]),
          ]}
        >
          ⋯
        </Menu>
      )}
      <CommandButton id="branch" look="quiet" isSmall>
        + branch here
      </CommandButton>
      {canUndo && (
        <Button look="quiet" isSmall aria-keyshortcuts="u" title="Undo (U)" onClick={undo}>
          Undo
        </Button>
      )}
    </div>
  );
}

function Rename({ branch, onDone }: { readonly branch: Branch; readonly onDone: () => void }) {
  const [name, setName] = useState(branch.name);
  return (
    <form
      className={css.rename}
      onSubmit={(event) => {
        event.preventDefault();
        if (name === branch.name || renameBranch(branch.id, name)) onDone();
      }}
    >
      <input
        aria-label="Name of the branch"
        // The field appears because the user asked to type in it.
        ref={(input) => input?.focus()}
        value={name}
        maxLength={BRANCH_NAME_MAX}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onDone();
        }}
      />
      <Button type="submit" isSmall>
        Rename
      </Button>
    </form>
  );
}

function forkText({ origin, recording }: Seen, branch: Branch): string {
  const { run } = lineRun(origin, recording, branch.id);
  return clockText(origin.system.now(run.worlds[branch.forkAt]));
}
