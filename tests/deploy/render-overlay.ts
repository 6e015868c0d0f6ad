import { ephemeralContext } from '@atrium/dev-server/backing/launcher-context';
import { findKustomize, render } from '@atrium/dev-server/test-runner/kustomize';
import { type KubeObject, readManifests } from './manifest.ts';

const ADDITIONS = ['with-gateway-api', 'with-observability'] as const;
/** What is deployed: the overlays as they are, and `small` with a component that an operator adds to it (`tests/deploy/<name>`). */
export const OVERLAYS = ['dev', 'small', 'large', ...ADDITIONS] as const;
export type Overlay = (typeof OVERLAYS)[number];

const listener = { line: () => undefined, say: () => undefined };
let program: ReturnType<typeof findKustomize> | undefined;
const rendered = new Map<string, Promise<KubeObject[]>>();

/** The objects of a folder of the checkout that holds a kustomization. */
export function renderFolder(folder: string): Promise<KubeObject[]> {
  const rendering = rendered.get(folder) ?? renderAnew(folder);
  rendered.set(folder, rendering);
  return rendering;
}

async function renderAnew(folder: string): Promise<KubeObject[]> {
  const toolbox = { ...ephemeralContext(listener), address: () => Promise.reject(new Error('nothing runs here')) };
  try {
    program ??= findKustomize(toolbox);
    return readManifests(await render(await program, folder));
  } finally {
    await toolbox.guard.close();
  }
}

export const renderOverlay = (overlay: Overlay): Promise<KubeObject[]> =>
  renderFolder(overlay.startsWith('with-') ? `tests/deploy/${overlay}` : `deploy/overlays/${overlay}`);
