// What a command may need of the page around the lab: handed down once, so that no button reaches for the browser itself.
import { createContext, useContext } from "react";
import type { Services } from "./state/commands.ts";

export const ServicesContext = createContext<Services | null>(null);

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (services === null) throw new Error("Services are used outside of their provider");
  return services;
}
