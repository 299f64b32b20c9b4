// One thing after another: what is begun on a name waits until everything begun before it on the same name has ended.

export interface Turns {
  take<T>(name: string, task: () => Promise<T>): Promise<T>;
  /** Whether anything on a name has not ended. */
  isBusy(name: string): boolean;
  /** Resolves when all that was begun has ended. */
  settled(): Promise<void>;
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return {
    take(name, task) {
      const before = last.get(name) ?? Promise.resolve();
      const turn = before.then(task, task);
      last.set(name, turn);
      const leave = (): void => {
        if (last.get(name) === turn) last.delete(name);
      };
      turn.then(leave, leave);
      return turn;
    },
    isBusy: (name) => last.has(name),
    async settled() {
      await Promise.allSettled(last.values());
    },
  };
}
