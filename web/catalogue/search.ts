// Finds scenarios by words: all of them must occur somewhere in what a scenario says of itself. Those whose name or
// question has them come first; apart from that the order of the catalogue stays.
import type { Scenario } from "../../shared/scenario/scenario.ts";

export function searchScenarios(all: readonly Scenario[], words: string): readonly Scenario[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return all;
  const hasAll = (texts: readonly string[]): boolean => {
    const text = texts.join(" ").toLowerCase();
    return wanted.every((word) => text.includes(word));
  };
  const found = all.filter((scenario) => {
    const { id, title, question, story, section, shows, doesNotShow } = scenario;
    return hasAll([id, title, question, story, section, shows, doesNotShow]);
  });
  const isNamed = ({ id, title, question }: Scenario): boolean => hasAll([id, title, question]);
  return [...found.filter(isNamed), ...found.filter((scenario) => !isNamed(scenario))];
}
