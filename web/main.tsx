// Mounts the app: the one place that looks for an element of the page.
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { present } from "../shared/base/assert.ts";
import { App } from "./App.tsx";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { keepPreferences } from "./state/remember.ts";
import "./theme/theme.css";

keepPreferences(window);

createRoot(present(document.querySelector("#app"), "the page has an element for the app")).render(
  <StrictMode>
    <ErrorBoundary>
      <App />
    </ErrorBoundary>
  </StrictMode>,
);
