// All keys, read from the commands themselves, and what the lab promises.
import { commands, keyName } from "../state/commands.ts";
import { setDialog } from "../state/store.ts";
import { Dialog } from "../parts/Dialog.tsx";
import css from "./Help.module.css";

const GROUPS = ["Move", "Act", "Look", "Share"] as const;

export function Help() {
  return (
    <Dialog title="Keys and help" onClose={() => setDialog(null)}>
      <div className={css.groups}>
        {GROUPS.map((group) => (
          <section key={group}>
            <h3 className={css.group}>{group}</h3>
            <dl className={css.keys}>
              {commands
                .filter((command) => command.group === group)
                .map((command) => (
                  <div key={command.id} className={css.row}>
                    <dt>{command.label}</dt>
                    <dd>
                      {command.keys.length > 3 ? (
                        <kbd>1 … 9</kbd>
                      ) : (
                        command.keys.map((key) => <kbd key={key}>{keyName(key)}</kbd>)
                      )}
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
      <p className={css.note}>
        Going back moves a cursor and loses nothing. Acting from the past makes a branch; both stay. A
        presenter’s remote works: Page Down steps, Page Up goes back, its blank-screen key plays.
      </p>
      <p className={css.note}>
        A run shows that something can happen, not that nothing else can. The Lease in memory follows the
        rules of the API server as they were measured.
      </p>
    </Dialog>
  );
}
