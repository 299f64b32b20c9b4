// A kubeconfig for one user of one server, with the certificate authority, so that verification stays on.
import { writeFile } from "node:fs/promises";

export interface KubeconfigContent {
  /** For example `https://127.0.0.1:40001`. */
  readonly server: string;
  /** PEM. */
  readonly certificateAuthority: string;
  /** The context's default namespace. */
  readonly namespace: string;
  readonly user: string;
  readonly token: string;
}

/** The kubeconfig as YAML. A JSON string is a YAML string, which spares a YAML writer. */
export function renderKubeconfig(content: KubeconfigContent): string {
  const quote = (text: string): string => JSON.stringify(text);
  const name = quote(`${content.user}@epoch-lab-throwaway`);
  return `apiVersion: v1
kind: Config
current-context: ${name}
clusters:
  - name: "epoch-lab-throwaway"
    cluster:
      server: ${quote(content.server)}
      certificate-authority-data: ${Buffer.from(content.certificateAuthority).toString("base64")}
contexts:
  - name: ${name}
    context:
      cluster: "epoch-lab-throwaway"
      namespace: ${quote(content.namespace)}
      user: ${quote(content.user)}
users:
  - name: ${quote(content.user)}
    user:
      token: ${quote(content.token)}
`;
}

/** Writes a kubeconfig that only its owner may read. */
export async function writeKubeconfig(file: string, content: KubeconfigContent): Promise<void> {
  await writeFile(file, renderKubeconfig(content), { mode: 0o600 });
}
