// State that follows only what has stayed for a moment.
import { useCallback, useEffect, useRef, useState } from "react";

/** Like `useState`, but a value is taken over after it has not been replaced for `restMs`. The initial value comes back at once. */
export function useRested<Value>(initial: Value, restMs: number): readonly [Value, (next: Value) => void] {
  const [value, setValue] = useState(initial);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const start = useRef(initial);
  const set = useCallback(
    (next: Value) => {
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = null;
      if (next === start.current) setValue(next);
      else timer.current = setTimeout(() => setValue(next), restMs);
    },
    [restMs],
  );
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
    },
    [],
  );
  return [value, set];
}
