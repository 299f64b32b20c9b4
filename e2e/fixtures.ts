// The lab as a test speaks of it: locators are nouns, methods are verbs. Every test also fails on any word in the console.
import { expect, test as base, type Locator, type Page } from "@playwright/test";

export { expect };

export class LabPage {
  readonly page: Page;
  readonly step: Locator;
  readonly back: Locator;
  readonly start: Locator;
  readonly play: Locator;
  readonly pause: Locator;
  readonly place: Locator;
  readonly scrubber: Locator;
  readonly verdicts: Locator;
  readonly narration: Locator;
  readonly announcer: Locator;
  readonly branches: Locator;
  readonly choices: Locator;
  readonly faults: Locator;
  readonly notice: Locator;
  readonly question: Locator;
  readonly picture: Locator;
  readonly table: Locator;
  readonly lease: Locator;
  readonly difference: Locator;

  constructor(page: Page) {
    this.page = page;
    const moves = page.getByRole("group", { name: "Move" });
    this.step = moves.getByRole("button", { name: "Step", exact: true });
    this.back = moves.getByRole("button", { name: "Back", exact: true });
    this.start = moves.getByRole("button", { name: "Start", exact: true });
    this.play = moves.getByRole("button", { name: "Play", exact: true });
    this.pause = moves.getByRole("button", { name: "Pause", exact: true });
    this.scrubber = page.getByRole("slider", { name: "Place on the line" });
    this.place = page.getByRole("contentinfo").getByText(/\d+ of \d+ · [\d.]+ s/);
    this.verdicts = page.getByRole("region", { name: "Verdicts" });
    this.narration = page.getByRole("region", { name: "What happened" });
    this.announcer = page.getByRole("status", { name: "What just happened" });
    this.branches = page.getByRole("group", { name: "Branches" });
    this.choices = page.getByRole("region", { name: "What could happen next" });
    this.faults = page.getByRole("region", { name: "Break something" });
    this.notice = page.locator("[aria-live]");
    this.question = page.getByRole("form", { name: "Predict" });
    this.picture = page.locator("[data-timeline]");
    this.table = page.getByRole("region", { name: "Events as a table" });
    this.lease = page.getByLabel("The Lease as YAML");
    this.difference = page.getByRole("region", { name: "First difference" });
  }

  async open(path = "/"): Promise<void> {
    await this.page.goto(path);
    await expect(this.step).toBeVisible();
  }

  /** Before the page is opened: this scenario's questions count as skipped, so that they hold nothing up. */
  async skipQuestions(scenario: string): Promise<void> {
    const answers = Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [`${scenario}/${index}`, { choice: null }]),
    );
    await this.page.addInitScript(
      (kept) => localStorage.setItem("epoch-lab", kept),
      JSON.stringify({ answers }),
    );
  }

  /** `{ event: 31, of: 42, seconds: 24.62 }`. */
  async where(): Promise<{ readonly event: number; readonly of: number; readonly seconds: number }> {
    const text = (await this.place.textContent()) ?? "";
    const [event = NaN, of = NaN, seconds = NaN] = (text.match(/\d+(\.\d+)?/g) ?? []).map(Number);
    return { event, of, seconds };
  }

  /** Waits until so many events have happened at the cursor. */
  async expectEvent(event: number): Promise<void> {
    await expect(this.scrubber).toHaveAttribute("aria-valuenow", String(event));
  }

  async expectUrl(pattern: RegExp): Promise<void> {
    await expect(this.page).toHaveURL(pattern);
  }

  branch(name: string): Locator {
    return this.branches.getByRole("button", { name });
  }

  verdict(claim: string | RegExp): Locator {
    return this.verdicts.getByRole("listitem").filter({ hasText: claim });
  }

  async choose(item: string): Promise<void> {
    await this.page.getByRole("navigation").getByRole("button", { name: "More" }).click();
    await this.page
      .getByRole("menuitem", { name: item })
      .or(this.page.getByRole("menuitemradio", { name: item }))
      .click();
  }

  async chooseOfBranch(item: string): Promise<void> {
    await this.page.getByRole("button", { name: /^Branch “/ }).click();
    await this.page.getByRole("menuitem", { name: item }).click();
  }
}

export const test = base.extend<{ lab: LabPage; allowed: RegExp[] }>({
  /** Words in the console that a test causes on purpose. */
  // Playwright reads what a fixture needs from its pattern, and refuses one that is none.
  // oxlint-disable-next-line no-empty-pattern
  allowed: async ({}, use) => {
    await use([]);
  },
  lab: async ({ page, allowed }, use) => {
    const words: string[] = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) words.push(`${message.type()}: ${message.text()}`);
    });
    page.on("pageerror", (error) => words.push(`exception: ${error.message}`));
    await use(new LabPage(page));
    expect(words.filter((text) => !allowed.some((pattern) => pattern.test(text)))).toEqual([]);
  },
});
