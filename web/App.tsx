// The frame: which page is open, and what every page shares. It only places.
import { lazy, Suspense, useEffect, useMemo } from "react";
import { Route, Switch, useLocation } from "wouter";
import { Help } from "./lab/Help.tsx";
import { Lab } from "./lab/Lab.tsx";
import { Notices } from "./lab/Notices.tsx";
import { Waiting } from "./parts/Waiting.tsx";
import { ServicesContext } from "./services.ts";
import { browserServices, openDropped } from "./files/files.ts";
import { useCluster } from "./cluster/store.ts";
import { startPlayback } from "./state/playback.ts";
import { useLab } from "./state/store.ts";

const Catalogue = lazy(async () => ({ default: (await import("./catalogue/Catalogue.tsx")).Catalogue }));
const Build = lazy(async () => ({ default: (await import("./build/Build.tsx")).Build }));
const Session = lazy(async () => ({ default: (await import("./live/Session.tsx")).Session }));
const Compare = lazy(async () => ({ default: (await import("./cluster/compare/Compare.tsx")).Compare }));
const ClusterDialog = lazy(async () => ({
  default: (await import("./cluster/ClusterDialog.tsx")).ClusterDialog,
}));
const Missing = lazy(async () => ({ default: (await import("./catalogue/Missing.tsx")).Missing }));

export function App() {
  const [, navigate] = useLocation();
  const services = useMemo(() => browserServices(window, navigate), [navigate]);
  const dialog = useLab((chosen) => chosen.dialog);
  const isClusterOpen = useCluster((state) => state.isOpen);
  useEffect(() => startPlayback(window), []);
  useEffect(() => openDropped(window, navigate), [navigate]);
  return (
    <ServicesContext value={services}>
      <Suspense fallback={<Waiting what="This page" />}>
        <Switch>
          <Route path="/">
            <Lab />
          </Route>
          <Route path="/scenarios">
            <Catalogue />
          </Route>
          <Route path="/build">
            <Build />
          </Route>
          <Route path="/compare">
            <Compare />
          </Route>
          <Route path="/session/:id">{({ id }) => <Session key={id} id={id} as="editor" />}</Route>
          <Route path="/follow/:id">{({ id }) => <Session key={id} id={id} as="follower" />}</Route>
          <Route>
            <Missing />
          </Route>
        </Switch>
      </Suspense>
      <Notices />
      {dialog === "help" && <Help />}
      {isClusterOpen && (
        <Suspense fallback={null}>
          <ClusterDialog />
        </Suspense>
      )}
    </ServicesContext>
  );
}
