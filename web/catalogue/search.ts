// Finds scenarios by words: all of them must occur somewhere in what a scenario says of itself.
import type { Scenario } from "../../shared/scenario/scenario.ts";

export function searchScenarios(all: readonly Scenario[], words: string): readonly Scenario[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return all.filter((scenario) => {
    const { id, title, question, story, section, shows, doesNotShow } = scenario;
    const text = [id, title, question, story, section, shows, doesNotShow].join(" ").toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}
