// The command lines of the two servers.
import { join } from "node:path";
import type { Command } from "./guardian.ts";
import { LOOPBACK } from "./ports.ts";

export interface Ports {
  /** Where etcd serves the API server. */
  readonly client: number;
  /** Where etcd would serve other etcds; it insists on one. */
  readonly peer: number;
  /** Where the API server serves, by TLS. */
  readonly secure: number;
}

export interface CommandContext {
  /** The program. */
  readonly file: string;
  /** The cluster's folder. */
  readonly folder: string;
  readonly ports: Ports;
}

export function etcdCommand({ file, folder, ports }: CommandContext): Command {
  const client = `http://${LOOPBACK}:${ports.client}`;
  const peer = `http://${LOOPBACK}:${ports.peer}`;
  return {
    program: "etcd",
    file,
    args: [
      `--data-dir=${join(folder, "etcd")}`,
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
      // The data need not survive a power cut, and without it a write does not wait for the disk.
      "--unsafe-no-fsync",
      "--log-level=error",
    ],
  };
}

export function kubeApiserverCommand({ file, folder, ports }: CommandContext): Command {
  const signingKey = join(folder, "service-account.key");
  return {
    program: "kube-apiserver",
    file,
    args: [
      `--etcd-servers=http://${LOOPBACK}:${ports.client}`,
      // Here it writes the certificate that it signs for itself, and finds it again at the next start.
      `--cert-dir=${join(folder, "certificates")}`,
      `--bind-address=${LOOPBACK}`,
      `--secure-port=${ports.secure}`,
      // Without it the server looks for the machine's default route, and does not start on a laptop that is offline.
      `--advertise-address=${LOOPBACK}`,
      // There are no pods that would need the endpoints of this server, and loopback addresses are refused there.
      "--endpoint-reconciler-type=none",
      "--service-account-issuer=https://kubernetes.default.svc",
      `--service-account-key-file=${signingKey}`,
      `--service-account-signing-key-file=${signingKey}`,
      "--authorization-mode=RBAC",
      `--token-auth-file=${join(folder, "tokens.csv")}`,
      "--service-cluster-ip-range=10.0.0.0/24",
      // No controller would ever create the service accounts that this plugin waits for.
      "--disable-admission-plugins=ServiceAccount",
    ],
  };
}
