import { ephemeralContext } from '@atrium/dev-server/backing/launcher-context';
import { findKustomize, runKustomize } from '@atrium/dev-server/test-runner/external-tools';
import { type KubeObject, readManifests } from './manifest.ts';

const COMPONENT_OVERLAYS = ['with-gateway-api', 'with-observability'] as const;
/** The deployable overlays, and `small` with an optional component (`tests/deploy/<name>`). */
export const OVERLAYS = ['dev', 'small', 'large', ...COMPONENT_OVERLAYS] as const;
export type Overlay = (typeof OVERLAYS)[number];

const listener = { line: () => undefined, log: () => undefined };
let program: ReturnType<typeof findKustomize> | undefined;
const rendered = new Map<string, Promise<KubeObject[]>>();

/** Renders a folder of the checkout with a kustomization. */
export function renderFolder(folder: string): Promise<KubeObject[]> {
  const rendering = rendered.get(folder) ?? renderUncached(folder);
  rendered.set(folder, rendering);
  return rendering;
}

async function renderUncached(folder: string): Promise<KubeObject[]> {
  const context = { ...ephemeralContext(listener), address: () => Promise.reject(new Error('No server is running')) };
  try {
    program ??= findKustomize(context);
    return readManifests(await runKustomize(await program, folder));
  } finally {
    await context.reaper.close();
  }
}

export const renderOverlay = (overlay: Overlay): Promise<KubeObject[]> =>
  renderFolder(overlay.startsWith('with-') ? `tests/deploy/${overlay}` : `deploy/overlays/${overlay}`);
