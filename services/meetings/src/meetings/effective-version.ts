/** A version from before the last edit is stale; answers that came since do not make it so. */
export const effectiveVersion = (
  { edited_version, version: current }: { edited_version: number; version: number },
  version: number | undefined,
): number | undefined => (version !== undefined && version >= edited_version && version <= current ? current : version);
