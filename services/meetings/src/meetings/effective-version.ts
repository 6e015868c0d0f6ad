/** A version is stale if it predates the last edit; RSVPs since then do not make it stale. */
export const effectiveVersion = (
  { edited_version, version: current }: { edited_version: number; version: number },
  version: number | undefined,
): number | undefined => (version !== undefined && version >= edited_version && version <= current ? current : version);
