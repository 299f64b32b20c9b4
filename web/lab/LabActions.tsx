// What the lab's header offers: the register, the other pages, the link, and the rest in a menu.
import { commandOf, keyName, type CommandId } from "../state/commands.ts";
import { setPresenter, setTheme, useLab } from "../state/store.ts";
import { useServices } from "../services.ts";
import { CommandButton } from "../parts/Button.tsx";
import { Menu, type MenuItem } from "../parts/Menu.tsx";
import { ClusterChip, openCluster, useRegisterLabel } from "../cluster/ClusterChip.tsx";
import { useShare } from "../live/share.ts";
import { HeaderLink } from "./Header.tsx";
import type { Theme } from "../state/preferences.ts";
import type { Seen } from "./useHere.ts";
import { exportPicture } from "./pictures.ts";
import { useLayout } from "./useLayout.ts";

export function LabActions({ here }: { readonly here: Seen }) {
  const services = useServices();
  const layout = useLayout();
  const theme = useLab((chosen) => chosen.theme);
  const presenter = useLab((chosen) => chosen.presenter);
  const share = useShare();
  const register = useRegisterLabel(here.view.register);
  const command = (id: CommandId): MenuItem => {
    const { label, keys, perform } = commandOf(id);
    return { id, label, hint: keys.slice(0, 1).map(keyName).join(""), onChoose: () => perform(services) };
  };
  const themes: readonly { readonly id: Theme; readonly label: string }[] = [
    { id: "system", label: "As the system" },
    { id: "light", label: "Light" },
    { id: "dark", label: "Dark" },
  ];
  // A projector shows the run: the rest of the chrome comes back with presenter mode's end.
  if (presenter) return <CommandButton id="presenter" label="Leave presenter mode" />;
  return (
    <>
      {layout === "wide" && <ClusterChip inMemory={here.view.register} />}
      <HeaderLink href="/scenarios">{layout === "narrow" ? "Scenarios" : "All scenarios"}</HeaderLink>
      {layout !== "narrow" && (
        <>
          <HeaderLink href="/build">Build your own</HeaderLink>
          <CommandButton id="copy-link" look="primary" />
        </>
      )}
      <Menu
        label="More"
        groups={[
          {
            title: null,
            items: [
              ...(layout === "narrow"
                ? [
                    command("copy-link"),
                    { id: "build", label: "Build your own", onChoose: () => services.navigate("/build") },
                  ]
                : []),
              ...(layout === "wide" ? [] : [{ id: "register", label: register, onChoose: openCluster }]),
              ...(share === null ? [] : [{ id: "share", label: "Share live", onChoose: share }]),
            ],
          },
          {
            title: "Recording",
            items: [
              command("export"),
              command("open-file"),
              { id: "svg", label: "Export the picture as SVG", onChoose: () => void exportPicture("svg") },
              { id: "png", label: "Export the picture as PNG", onChoose: () => void exportPicture("png") },
              {
                id: "mermaid",
                label: "Export as a Mermaid sequence",
                onChoose: () => void exportPicture("mermaid"),
              },
              command("reset"),
            ],
          },
          {
            title: "Theme",
            items: themes.map(({ id, label }) => ({
              id: `theme-${id}`,
              label,
              isChecked: theme === id,
              onChoose: () => setTheme(id),
            })),
          },
          {
            title: null,
            items: [
              {
                id: "presenter",
                label: "Presenter mode",
                hint: "P",
                onChoose: () => setPresenter(true),
              },
              command("help"),
            ],
          },
        ].filter(({ items }) => items.length > 0)}
      >
        {layout === "narrow" ? "⋯" : "More"}
      </Menu>
    </>
  );
}
